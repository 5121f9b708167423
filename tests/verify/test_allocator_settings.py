"""PYTORCH_CUDA_ALLOC_CONF is read as PyTorch reads it, and refused where PyTorch refuses it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.verify.allocator_settings import MIB, UNLIMITED, AllocatorSettings, SettingsError


def test_empty_text_gives_the_defaults() -> None:
    settings = AllocatorSettings.parse("")
    assert settings == AllocatorSettings()
    assert settings.max_split_size == UNLIMITED
    assert not settings.expandable_segments


def test_all_keys_together() -> None:
    settings = AllocatorSettings.parse(
        "max_split_size_mb:512, expandable_segments:True,garbage_collection_threshold:0.8,max_non_split_rounding_mb:40,"
        "large_segment_size_mb:12,backend:native,release_lock_on_cudamalloc:True"
    )
    assert settings.max_split_size == 512 * MIB
    assert settings.max_non_split_rounding == 40 * MIB
    assert settings.large_segment == 12 * MIB
    assert settings.garbage_collection_threshold == 0.8
    assert settings.expandable_segments


def test_divisions_by_size() -> None:
    settings = AllocatorSettings.parse("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]")
    assert settings.divisions_for(100 * MIB) == 1
    assert settings.divisions_for(300 * MIB) == 1
    assert settings.divisions_for(600 * MIB) == 2
    assert settings.divisions_for(3000 * MIB) == 8
    assert AllocatorSettings.parse("roundup_power2_divisions:4").divisions_for(5) == 4


@pytest.mark.parametrize(
    "text",
    [
        "max_split_size_mb",
        "max_split_size_mb:",
        "max_split_size_mb:ten",
        "max_split_size_mb:19",
        "max_split_size_mb:-1",
        "max_split_size_mb:99999999999999",
        "expandable_segments:yes",
        "garbage_collection_threshold:1.5",
        "garbage_collection_threshold:nan",
        "roundup_power2_divisions:3",
        "roundup_power2_divisions:[256:3]",
        "roundup_power2_divisions:[256:1",
        "unknown_key:1",
        "backend:cudaMallocAsync",
        "max_split_size_mb:128;expandable_segments:True",
        "max_split_size_mb:128 expandable_segments:True",
        ",max_split_size_mb:128",
    ],
)
def test_what_pytorch_refuses_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        AllocatorSettings.parse(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        settings = AllocatorSettings.parse(text)
    except SettingsError:
        return
    assert settings.max_split_size >= 20 * MIB
    assert len(settings.roundup_power2_divisions) == 16
