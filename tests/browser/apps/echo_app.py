"""The least that a click on a server can cost: a component that counts, and a fragment that sends the count back."""

import streamlit as st

JS = """export default function ({ data, parentElement, setStateValue }) {
  const button = parentElement.querySelector("button");
  button.dataset.serial = data;
  button.dataset.state = "ready";
  button.onclick = () => setStateValue("count", Number(data) + 1);
}"""
echo = st.components.v2.component("echo", html="<button data-aklo='echo'>again</button>", js=JS)


@st.fragment
def answer() -> None:
    echo(key="echo", data=st.session_state.get("echo", {}).get("count") or 0, on_count_change=lambda: None)


answer()
