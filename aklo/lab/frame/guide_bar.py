"""The bar over a page that explains a prepared state: a step of the tour, or a story."""

from __future__ import annotations

import streamlit as st

from aklo.lab.content.scenes import SCENES, TOUR, Scene
from aklo.lab.frame.navigation import PAGES
from aklo.lab.session import guide, state
from aklo.lab.settings.presets import same_start
from aklo.lab.settings.schema import Settings


def opening(stem: str) -> Settings | None:
    """Return the state of the scene that the address names, if it is one of this page."""
    scene = SCENES.get(guide.read(st.query_params.get(guide.KEY)) or "")
    return scene.settings if scene is not None and scene.page == stem else None


def draw(stem: str) -> None:
    """Draw the bar of the scene that is explained, if there is one."""
    name = guide.current()
    if name is None:
        return
    scene = SCENES.get(name)
    if scene is None:
        guide.show(None)
        st.caption(f":material/info: There is no step or story called {name}: the page is shown without one.")
        return
    with st.container(key="guide", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(_text(scene), width="stretch")
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
            _buttons(scene, stem)


def _text(scene: Scene) -> str:
    what = f"Tour, {scene.name} of {len(TOUR)}" if scene in TOUR else "Story"
    s = scene.settings
    return f"**{what}: {scene.title}.** **Notice:** {scene.notice(s)} **Try:** {scene.hint(s)}"


def _buttons(scene: Scene, stem: str) -> None:
    at = TOUR.index(scene) if scene in TOUR else None
    if at:
        _move(TOUR[at - 1], stem, "Back", ":material/arrow_back:")
    if stem != scene.page:
        _move(scene, stem, f"Open {PAGES[scene.page].name}", PAGES[scene.page].icon)
    elif not same_start(state.settings(), scene.settings) or state.settings().task != scene.settings.task:
        st.button("Restore", key="guide_restore", icon=":material/replay:", on_click=state.replace,
                  args=(scene.settings,), help="Bring the settings of this step back.")  # fmt: skip
    if at is not None and at + 1 < len(TOUR):
        _move(TOUR[at + 1], stem, "Next", ":material/arrow_forward:")
    last = at == len(TOUR) - 1
    st.button("Finish" if last else "Leave", key="guide_leave", icon=":material/close:", on_click=guide.show,
              args=(None,), help="Close this bar. Home has the tour and the stories.")  # fmt: skip


def _move(scene: Scene, stem: str, label: str, icon: str) -> None:
    """A link to a scene. On the page that is shown it is a button: there a link would leave the address as it is."""
    if scene.page == stem:
        st.button(label, key=f"guide_{label.lower()}", icon=icon, on_click=_take, args=(scene,), type="tertiary",
                  help=scene.title)  # fmt: skip
    else:
        PAGES[scene.page].link(scene.settings, label, tour=scene.name, icon=icon, width="content")


def _take(scene: Scene) -> None:
    state.replace(scene.settings)
    guide.show(scene.name)
