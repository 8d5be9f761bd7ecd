"""The components' modules: what they import and export, and that nothing in them reads text as markup."""

import base64
import gzip
import json
import re

import pytest

from aklo.lab.components import registry, room_client
from aklo.lab.components.alpha_picture import ALPHA_PICTURE
from aklo.lab.components.player import PLAYER
from aklo.lab.components.sandbox import SANDBOX
from aklo.lab.components.stream_overview import OVERVIEW
from aklo.lab.components.stream_race import RACE
from aklo.lab.server.room_records import Room

FILES = sorted(str(path.relative_to(registry.HERE)) for path in registry.HERE.rglob("*.js") if path.name != "loader.js")
COMPONENTS = (PLAYER, ALPHA_PICTURE, SANDBOX, OVERVIEW, RACE)
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def exported(path: str) -> set[str]:
    return set(EXPORT.findall(registry.source(path)))


@pytest.mark.parametrize("path", FILES)
def test_every_imported_name_is_exported(path):
    text = registry.source(path)
    assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(registry.IMPORT.findall(text)), (
        "one line, one import"
    )
    for match in registry.IMPORT.finditer(text):
        target = dict(registry.imports(path))[match[2]]
        names = {name.strip() for name in match[1].split(",")}
        assert names <= exported(target), f"{path} imports {names - exported(target)} from {target}"


def test_an_import_without_names_is_none_that_the_loader_could_link():
    assert registry.IMPORT.findall('import { a } from "./a.js";\nimport "./b.js";\n') == [(" a ", "./a.js")]


def test_every_export_is_imported_somewhere():
    wanted = {(target, name.strip()) for path in FILES for match in registry.IMPORT.finditer(registry.source(path))
              for target in [dict(registry.imports(path))[match[2]]] for name in match[1].split(",")}  # fmt: skip
    assert {(path, name) for path in FILES for name in exported(path)} <= wanted


@pytest.mark.parametrize("path", FILES)
def test_modules_hold_no_addresses_never_parse_text_as_html_and_disable_no_button(path):
    text = registry.source(path)
    assert "innerHTML" not in text
    assert not re.search(r"\.disabled\b", text), "setDisabled (shared/dom.js) leaves a button the focus"
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


@pytest.mark.parametrize("component", COMPONENTS, ids=lambda component: component.name)
def test_modules_come_after_those_that_they_import(component):
    packed = re.search(r'atob\("([^"]+)"\)', component.script())[1]
    modules = json.loads(gzip.decompress(base64.b64decode(packed)))
    seen = set()
    for path, imports, _ in modules:
        assert {target for _, target in imports} <= seen
        seen.add(path)
    assert modules[-1][0] == component.entry
    assert "https://" not in component.style_sheet() and component.style_sheet()


def test_modules_that_import_one_another_are_refused(monkeypatch):
    texts = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    monkeypatch.setattr(registry, "source", texts.__getitem__)
    with pytest.raises(ValueError, match=r"a\.js imports itself by way of a\.js and b\.js"):
        registry.in_order("a.js")


def test_room_client_that_is_gone_from_the_session_has_said_nothing(monkeypatch):
    """A visitor leaves the page in the moment in which the browser says who it is."""
    mounted: dict = {}
    monkeypatch.setattr(room_client, "_CLIENT", lambda **options: mounted.update(options))
    heard: list = []
    room_client.room_client(Room("KXBDT"), on_who=heard.append)
    mounted["on_who_change"]()
    assert heard == [None]
