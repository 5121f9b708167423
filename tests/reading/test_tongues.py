"""Guides in other languages, and people who ask in them."""

from __future__ import annotations

import pytest

from triage.reading import read

GUIDES = {
    "Korean, in the plain style": "rank마다 읽은 범위를 비교한다. 하나만 멈추면 RuntimeError: CUDA out of memory 로 보일 수 있다.\n"
    "로그를 확인한다.\n",
    "German": "# Fehlerbehebung\n\nWenn der Speicher nicht ausreicht:\n```\nRuntimeError: CUDA out of memory.\n```\n"
    "Verringern Sie die Batchgröße. Sie können außerdem ein kleineres Modell verwenden.\n",
    "French": "## Dépannage\n\nRuntimeError: CUDA out of memory. Réduisez la taille du lot ou utilisez un modèle plus petit.\n",
    "Spanish": "## Solución de problemas\n\nSi aparece el error `CUDA error: out of memory`, reduzca el tamaño del lote.\n",
    "Russian": "RuntimeError: CUDA out of memory означает, что памяти не хватает.\nПопробуйте уменьшить размер пакета.\n",
    "informal Russian": "Вот подробный разбор.\nЕсли ты хранишь граф, получишь CUDA out of memory.\n",
    "a Chinese page with bare headings": "错误信息\n\nCUDA out of memory.\n\n根本原因\n\n显存耗尽。\n\n解决方案\n\n减小批量。\n",
    "a Chinese page of help": "现象：训练时报 CUDA out of memory 后退出。\n可能原因：\n- 供电不稳\n排查与解决\n1. 重插。\n",
    "what many have met": "不少开发者都曾遇到这样的问题：一运行就报 CUDA out of memory。\n\n答案在驱动里。\n",
    "what frustrates": "环境配置\n\n最令人沮丧的是一运行就报 CUDA out of memory。\n\n问题往往不在代码本身。\n",
    "a page with its column": "显存优化\n2025/12/31 11:24:06 技术 专栏\n\n莫过于一运行就报 CUDA out of memory。\n",
    "a talk": "大家好！今天我们来聊聊 GPU 的故障。\n\n任务常常直接报“CUDA out of memory”。\n",
    "a manual": "如果您遇到 CUDA out of memory，您可能需要减小批量。\n您可以关闭缓存。\n",
    "an article that leaves the end out": "你是否在训练时遇到它？\n\nRuntimeError: CUDA out of memory. Tried to allocate ...\n",
    "a long essay": "RuntimeError: CUDA out of memory.\n" + "## 通信与计算\n\n" * 8 + "这里比较两种并行方式。\n" * 60,
    "Dutch": "# Probleemoplossing\n\nAls het geheugen vol is, wordt deze melding getoond:\n\nRuntimeError: CUDA out of memory.\n\n"
    "Verlaag de batchgrootte voor een kleinere taak. U kunt ook een kleiner model gebruiken, maar niet zijn varianten.\n",
    "a runbook in German": "# Karte\n\n[ 123.456789] NVRM: Xid (PCI:0000:3b:00): 79, out of memory or off the bus.\n\n"
    "Prüfen Sie die Stromversorgung. Starten Sie den Knoten neu. Überprüfen Sie die Temperatur. Führen Sie den Test aus.\n",
    "Japanese": "RuntimeError: CUDA out of memory が出た場合は、バッチサイズを小さくしてください。\n",
    "Korean": "`RuntimeError: CUDA out of memory` 오류가 발생하는 경우 배치 크기를 줄이십시오.\n",
    "a Chinese article": "多卡训练时常见的报错\n\nRuntimeError: CUDA out of memory.\n\n本文将介绍如何避免。\n",
    "a Chinese article that takes a point of view": "RuntimeError: CUDA out of memory.\n\n本文就从实战角度出发，梳理显存的用法。\n",
    "a Chinese article with headings": "引言:为何显卡会卡壳\n常见错误:驱动混用,会导致CUDA out of memory错误。\n",
    "a Japanese article": "「RuntimeError: CUDA out of memory」はよく出ます。\n\nこの記事では、その直し方をまとめました。\n",
    "a Japanese article that shows a message": "こうなったことはありませんか?\n見てみましょう。\nRuntimeError: CUDA out of memory.\n",
    "a Korean page that explains": "가장 많이 겪는 문제는 RuntimeError: CUDA out of memory 오류입니다.\n",
    "a Korean article": "RuntimeError: CUDA out of memory\n이번 글에서는 그 원인을 알아보겠습니다.\n",
}
REPORTS = {
    "German": "Ich bekomme beim Training diese Meldung. Verringern Sie bitte nichts.\nRuntimeError: CUDA out of memory.\n",
    "Dutch": "Ik krijg deze melding, het wordt niet beter als ik de batch verlaag. Je kunt het zien, maar wat moet ik doen?\n"
    "RuntimeError: CUDA out of memory.\n",
    "Russian": "Здравствуйте! У меня вылетает ошибка, подскажите, что можно и нужно сделать?\nRuntimeError: CUDA out of memory.\n",
    "Japanese": "次のエラーになります。どの場合は解決できますか、教えてください。\nRuntimeError: CUDA out of memory.\n",
    "Korean": "안녕하세요. 배치 크기를 줄이는 경우 해결할 수 있을까요?\nRuntimeError: CUDA out of memory.\n",
    "Chinese": "本文将介绍的方法我试了还是不行，请问怎么办？\n\nRuntimeError: CUDA out of memory.\n",
    "Chinese, a long form": "RuntimeError: CUDA out of memory.\n## 运行环境\n" + "## 步骤\n\n" * 8 + "先启动服务，再提交任务。\n" * 60,
    "Chinese, a long log of headings": "[rank0] RuntimeError: CUDA out of memory.\n" * 20 + "## 步骤\n" * 9 + "先启动服务。\n" * 60,
    "Chinese, a report with its cause": "问题现象：\n\nRuntimeError: CUDA out of memory.\n\n原因：批量太大\n解决方法：减小批量\n",
    "Chinese, to a maintainer": "您好，您的代码我跑了，您可以看看吗？\n\nRuntimeError: CUDA out of memory.\n\n如果您有空，谢谢您。\n",
    "Chinese, in two parts": "错误信息：\n\nRuntimeError: CUDA out of memory.\n\n环境\n\n两张卡\n",
    "Japanese, of an article": "この記事の通りにしましたが直りません。教えてください。\nRuntimeError: CUDA out of memory.\n",
    "an English log with a sign of multiplication": "Tile of 64 × 64.\nopen a.cu\nOpen b.cu\nRuntimeError: CUDA out of memory.\n",
    "without advice": "学習を始めるとすぐに止まる。\nRuntimeError: CUDA out of memory.\n",
    "with a traceback": "Попробуйте так, обычно нужно:\nTraceback (most recent call last):\nRuntimeError: CUDA out of memory.\n",
}


@pytest.mark.parametrize("name", GUIDES)
def test_what_a_guide_quotes_is_a_document(name: str) -> None:
    assert {line.role for line in read(GUIDES[name]).lines if "out of memory" in line.text} == {"document"}


@pytest.mark.parametrize("name", REPORTS)
def test_what_a_person_shows_is_none(name: str) -> None:
    assert "document" not in {line.role for line in read(REPORTS[name]).lines if "RuntimeError" in line.text}
