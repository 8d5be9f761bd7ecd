"""What a student hands in, and `aklo grade`: files and lines, signatures, copies, and files that nobody expects."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from aklo import handin
from aklo.cli.main import cli
from aklo.handin import HandIn, Key, Record

SECRET = "the secret of a class"
LAB, OTHER = Key.secret(SECRET), Key.secret("the secret of another lab")
OUTCOMES = {"1-alone": 5, "2-together": 40, "5-alpha": "linear:end=0"}
values = st.integers(-(10**9), 10**9) | st.text(
    st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=80
)  # fmt: skip


def record(key: Key = LAB, **guesses: handin.Value) -> Record:
    new = Record(secrets.token_hex(8))
    made = {"1-alone": 12, "2-together": 50} | {name.replace("_", "-"): value for name, value in guesses.items()}
    return new.with_entries(
        handin.Entry.signed(new.id, lesson, guess, 1_790_000_000 + 60 * k, key)
        for k, (lesson, guess) in enumerate(made.items())
    )


def handed_in(name: str = "Ada", key: Key = LAB, of: Record | None = None) -> HandIn:
    return HandIn.of(of or record(key), name, OUTCOMES, 1_790_001_000, key)


def fault_of(read: Callable[[str], object], text: str) -> str:
    """What a function says is wrong with a text, or "" for nothing. Any other error is one of the test."""
    try:
        read(text)
    except ValueError as error:
        return str(error)
    return ""


def grade(folder, *options: str, secret: str | None = SECRET) -> tuple[list[dict[str, str]], int, str]:
    env = {handin.VARIABLE: secret or ""}
    result = CliRunner().invoke(cli, ["grade", str(folder), *options], env=env, standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    rows = json.loads(result.stdout) if "--json" in options else list(csv.DictReader(io.StringIO(result.stdout)))
    return rows, result.return_value or 0, result.stderr


# ------------------------------------------------------------------------------------------------------ file and line


@given(
    st.dictionaries(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=80), values, max_size=8),
    st.text(max_size=200),
    st.integers(0, 10**6),
)
def test_file_and_line_give_back_what_was_handed_in(guesses, name, apart):
    new = Record(secrets.token_hex(8))
    mine = new.with_entries(
        handin.Entry.signed(new.id, lesson, guess, 1_700_000_000 + apart * k, LAB)
        for k, (lesson, guess) in enumerate(guesses.items())
    )
    made = HandIn.of(mine, name, guesses, 1_800_000_000, LAB)
    assert HandIn.from_json(made.to_json()) == made == HandIn.from_line(made.to_line())
    assert "\n" not in made.to_line() and made.check(LAB) == handin.VALID
    assert Record.from_json(mine.to_json()) == mine


def test_signature_is_worth_what_it_says():
    made, public = handed_in(), handed_in(key=Key.public())
    assert made.check(LAB) == handin.VALID
    assert made.check(OTHER) == handin.BAD
    assert made.check(Key.public()) == handin.UNKNOWN, "without a secret nothing can be said"
    assert public.check(LAB) == public.check(Key.public()) == handin.CHECKSUM
    assert SECRET not in repr(LAB)
    with pytest.raises(ValueError, match="has 5 characters"):
        Key.secret("short")


@pytest.mark.parametrize("key", [LAB, Key.public()], ids=["secret", "checksum"])
def test_any_change_of_a_line_is_found(key):
    line = handed_in(key=key).to_line()
    for k in range(len(line)):
        changed = line[:k] + ("7" if line[k] != "7" else "8") + line[k + 1 :]
        assert fault_of(HandIn.from_line, changed) or HandIn.from_line(changed).check(key) == handin.BAD, changed


def test_forged_guess_in_the_browser_is_not_vouched_for():
    mine = record()
    forged = Record.from_json(mine.to_json().replace('"1-alone",12', '"1-alone",5'))
    assert [row.vouched for row in handed_in(of=forged).rows] == [False, True]
    copied = forged.with_entries(record().entries)  # entries of another record
    assert not any(row.vouched for row in handed_in(of=copied).rows)


@given(st.text(max_size=300) | st.from_regex(r"aklo1( name=| id=| at=| from=|[a-z0-9=/@:?% ]){0,12}", fullmatch=True))
def test_any_text_is_a_hand_in_or_a_value_error(text):
    for read in (HandIn.from_line, HandIn.from_json, Record.from_json):
        assert "\n" not in fault_of(read, text)


FIELDS = ["format", "id", "guesses", "name", "at", "signature", "lesson", "guess", "outcome", "when", "vouched"]
SIMPLE = st.none() | st.booleans() | st.floats() | st.text() | st.integers()


@given(st.recursive(SIMPLE, lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(FIELDS), inner)))
def test_any_json_is_a_hand_in_or_a_value_error(data):
    for value in (data, {"format": "aklo1", "id": "0" * 16, "guesses": data}, {"format": "aklo1", "guesses": [data]}):
        for read in (HandIn.from_json, Record.from_json):
            assert "\n" not in fault_of(read, json.dumps(value))


# ------------------------------------------------------------------------------------------------------------ the class


def test_table_of_a_class(tmp_path):
    ada = handed_in("Ada", of=record(**{"5_alpha": "step:at=50"}))
    (tmp_path / "ada.json").write_text(ada.to_json(), encoding="utf-8")
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "ben.json").write_text(handed_in("Ben").to_json(), encoding="utf-8")
    lines = f"Dear teacher,\n\n{handed_in('Cleo').to_line()}\n> {handed_in('Dan').to_line()}. Bye\n"
    broken = handed_in("Eve").to_line().replace(" 2-together", "\n2-together")  # by a mail program
    (tmp_path / "mails.txt").write_text(lines + broken, encoding="utf-8")
    rows, code, said = grade(tmp_path, "--json")
    assert code == 0 and "5 handed in, 0 to look at." in said
    assert {row["signature"] for row in rows} == {"valid"} and {row["note"] for row in rows} == {""}
    assert [row["name"] for row in rows if row["lesson"] == "1-alone"] == ["Ada", "Ben", "Cleo", "Dan", "Eve"]
    assert [row["where"] for row in rows if row["lesson"] == "1-alone"] == [
        "ada.json", "late/ben.json", "mails.txt:3", "mails.txt:4", "mails.txt:5",
    ]  # fmt: skip
    mine = {row["lesson"]: row for row in rows if row["name"] == "Ada"}
    assert (mine["1-alone"]["guess"], mine["1-alone"]["outcome"], mine["1-alone"]["difference"]) == (12, 5, 7)
    assert mine["5-alpha"]["guess"] == "step:at=50" and mine["5-alpha"]["right"] is False
    assert mine["1-alone"]["when"] == handin.iso(1_790_000_000)
    assert mine["1-alone"]["handed in"] == handin.iso(1_790_001_000)
    table, _, _ = grade(tmp_path)
    assert [{**row} for row in table] == [{name: str(value) for name, value in row.items()} for row in rows]
    assert grade(tmp_path / "ada.json", "--json")[0] == [row for row in rows if row["name"] == "Ada"]


def test_bad_signatures_copies_and_doubtful_guesses_are_flagged(tmp_path):
    mine = record()
    (tmp_path / "1.json").write_text(handed_in("Ada", of=mine).to_json(), encoding="utf-8")
    (tmp_path / "2.json").write_text(handed_in("Ben", of=mine).to_json(), encoding="utf-8")
    (tmp_path / "3.json").write_text(handed_in("Cleo").to_json().replace('"guess": 12', '"guess": 5'), encoding="utf-8")
    (tmp_path / "4.json").write_text(handed_in("Dan", key=Key.public()).to_json(), encoding="utf-8")
    forged = Record.from_json(record().to_json().replace('"1-alone",12', '"1-alone",5'))
    (tmp_path / "5.json").write_text(handed_in("Eve", of=forged).to_json(), encoding="utf-8")
    rows, code, said = grade(tmp_path, "--json")
    first = [row for row in rows if row["lesson"] == "1-alone"]
    assert [row["signature"] for row in first] == ["valid", "valid", "BAD", "checksum only", "valid"]
    assert [row["note"] for row in first] == [
        "", "same record as 1.json under another name", "", "", "this guess was not signed by the lab",
    ]  # fmt: skip
    assert code == 1 and "5 handed in, 1 to look at." in said and "the text was changed" in said
    assert {row["signature"] for row in grade(tmp_path, "--json", secret=None)[0]} == {"other key", "checksum only"}
    (tmp_path.parent / "secret").write_text(SECRET + "\n", encoding="utf-8")
    assert grade(tmp_path, "--json", "--secret-file", str(tmp_path.parent / "secret"), secret=None)[0] == rows


def test_hostile_files_get_a_row_each_and_a_spreadsheet_gets_no_formula(tmp_path):
    files = {
        "binary": bytes(range(256)),
        "deep.json": b'{"format":"aklo1","guesses":' + b"[" * 10_000,
        "empty": b"",
        "flood.txt": b"aklo1 name=" * 450_000,
        "huge.txt": b"aklo1 name=" + b"x" * 6_000_000,
        "long.txt": b"aklo1 name=" + b"y" * 1_000_000 + b" signature=secret:00",
        "list.json": b"[1, 2]",
        "nan.json": b'{"format": "aklo1", "name": "x", "id": "0123456789abcdef", "at": NaN, "guesses": []}',
        "picture.png": b"\x89PNG\r\n",
        "zeros": b"\0" * 1000,
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "link").symlink_to("/nonexistent")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "=1+1.json").write_text(handed_in("=cmd|' /C calc'!A0").to_json(), encoding="utf-8")
    rows, code, said = grade(tmp_path)
    assert code == 1 and "to look at." in said
    bad = {row["where"]: row["note"] for row in rows if row["signature"] == "unreadable"}
    assert {where.split(":")[0] for where in bad} == set(files) and all(bad.values())
    good = [row for row in rows if row["signature"] == "valid"]
    assert len(good) == 2 and all(row["name"].startswith("'=") and row["where"].startswith("'=") for row in good)


def test_missing_folder_and_secret_get_one_sentence(tmp_path):
    for arguments in (["nowhere"], [".", "--secret-file", "nowhere"]):
        result = CliRunner().invoke(cli, ["grade", *arguments], env={handin.VARIABLE: ""})
        assert result.exit_code == 2 and "nowhere" in result.output and "Traceback" not in result.output
    result = CliRunner().invoke(cli, ["grade", str(tmp_path)], env={handin.VARIABLE: "short"})
    assert "has 5 characters" in str(result.exception)
    rows, code, said = grade(tmp_path)
    assert rows == [] and code == 0 and "0 handed in" in said
