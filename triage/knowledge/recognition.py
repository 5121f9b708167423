"""The GPUs and models that a text names, under the names that the tables have for them, so that rules can join their rows."""

from __future__ import annotations

from triage.facts import Observation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.engine.values import Value
    from triage.knowledge.names import Gpus, Models
    from triage.knowledge.tables import Tables

_GIB = 1 << 30
# Settings whose value is the name of a model, also of one whose name does not tell its size.
_OPTIONS_FOR_MODELS = frozenset((
    "model", "model_id", "model_name", "model_name_or_path", "pretrained_model_name_or_path", "model_path", "base_model", "base_model_name",
    "ckpt_id", "model_tag", "hf_model",
))  # fmt: skip


class Recognition:
    """Reads tables `gpus`, `amd-gpus` and `models` when the first GPU or model is named; without such a table nothing is recognised."""

    __slots__ = ("_gpus", "_models", "_tables")

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._gpus: list[Gpus] | None = None
        self._models: Models | None = None

    def observe(self, observations: Sequence[Observation]) -> list[Observation]:
        """Facts `gpu-model` and `known-model` for the facts `gpu-name`, `model` and `option` among the observations, in their order."""
        found: list[Observation] = []
        for observation in observations:
            if observation.template == "gpu-name":
                slots = self._gpu(str(observation.slots["gpu_name"]), observation.slots.get("capacity_bytes"))
                template = "gpu-model"
            elif observation.template == "model":
                slots = self._model(str(observation.slots["name"]))
                template = "known-model"
            elif observation.template == "option" and observation.slots["name"] in _OPTIONS_FOR_MODELS:
                slots = self._model(str(observation.slots["value"]))
                template = "known-model"
            else:
                continue
            if slots:
                found.append(Observation(template, {**_place(observation), **slots}, observation.evidence))
        return found

    def _gpu(self, printed: str, capacity: Value | None) -> dict[str, Value]:
        if self._gpus is None:
            self._gpus = self._of_makers()
        size = capacity if isinstance(capacity, int) else None
        product = next((found for gpus in self._gpus if (found := gpus.recognise(printed, size))), None)
        if product is None:
            return {}
        # the target of AMD's compilers stands where others have their capability
        slots: dict[str, Value] = {"gpu_name": product["name"], "text": printed, "capability": product.get("capability") or product["gfx"]}
        memory = product.get("memory_gib")
        if isinstance(memory, int):
            slots["nominal_bytes"] = memory * _GIB
        largest = product.get("largest_gib", memory)
        if isinstance(largest, int):
            slots["largest_bytes"] = largest * _GIB
        return slots

    def _of_makers(self) -> list[Gpus]:
        from triage.knowledge.names import Gpus

        found = []
        for name in ("gpus", "amd-gpus"):
            try:
                found.append(Gpus(self._tables.table(name), amd=name == "amd-gpus"))
            except KeyError:
                continue
        return found

    def _model(self, printed: str) -> dict[str, Value]:
        if self._models is None:
            from triage.knowledge.names import Models

            try:
                self._models = Models(self._tables.table("models"))
            except KeyError:
                return {}
        model = self._models.recognise(printed)
        return {"name": model["name"], "text": printed} if model is not None else {}


def _place(observation: Observation) -> dict[str, Value]:
    return {slot: value for slot, value in observation.slots.items() if slot in ("line", "stream", "rank", "time", "role")}
