"""However much there is in a download, laying it out ends soon and fills no disk."""

from __future__ import annotations

import zipfile
from pathlib import Path

from grader.cli.fitting import numbered
from tests.arranging import arrange


def test_many_files_of_one_name_are_not_looked_through_for_each(tmp_path: Path) -> None:
    asked: list[Path] = []
    known: dict[Path, int] = {}

    def is_taken(place: Path) -> bool:
        asked.append(place)
        return place.exists()

    for _ in range(60):
        numbered(tmp_path / ".a.py", is_taken, known).touch()
    assert {path.name for path in tmp_path.iterdir()} == {
        ".a.py",
        *(f".{number}_.a.py" for number in range(2, 61)),
    }
    assert len(asked) < 3 * 60


def test_no_download_grows_without_end(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "d.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(5):
            packed.writestr(f"Mallory_12_assignsubmission_file/{number}.ipynb", bytes(90_000_000))
        packed.writestr("Ada_13_assignsubmission_file/04.ipynb", "{}")
    printed = arrange(tmp_path / "d.zip", tmp_path / "out")
    assert len([*(tmp_path / "out").rglob("*.ipynb")]) == 4
    assert "no more is read of one learner: Mallory_12_assignsubmission_file/3.ipynb" in printed
