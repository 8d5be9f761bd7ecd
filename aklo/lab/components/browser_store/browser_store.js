// Keeps a text in the browser's localStorage for the page. Python is told what was kept, and then says what to keep.

import { mountOnce, readJson, takeNoSpace } from "../shared/lifecycle.js";

const PREFIX = "aklo-lab:";

class BrowserStore {
  constructor(place) {
    this.listener = ({ key, newValue }) => (key === this.key || key === null) && this.tell(newValue, true);
    window.addEventListener("storage", this.listener); // another tab has written
    takeNoSpace(place);
  }

  receive({ name, heard, text, longest }, send) {
    this.key = PREFIX + name;
    Object.assign(this, { send, longest });
    // A server that was started anew has not heard of it: it is told again.
    if (!heard) this.read();
    else if (text !== this.kept) this.write(text);
  }

  read() {
    try {
      this.tell(window.localStorage.getItem(this.key), false);
    } catch { // the browser forbids it
      this.fail();
    }
  }

  // The time makes each report a new value, as Streamlit requires.
  tell(text, changed) {
    this.kept = text ?? "";
    this.send({ works: true, text: text?.slice(0, this.longest + 1) ?? null, changed, at: Date.now() });
  }

  fail() {
    this.send({ works: false, text: null, changed: false, at: Date.now() });
  }

  write(text) {
    this.kept = text;
    try {
      if (text) window.localStorage.setItem(this.key, text);
      else window.localStorage.removeItem(this.key);
    } catch { // forbidden, or full
      this.fail();
    }
  }

  remove() {
    window.removeEventListener("storage", this.listener);
  }
}

export default mountOnce(BrowserStore, (store, { data, setTriggerValue }) => {
  if (data) store.receive(readJson(data), (report) => setTriggerValue("kept", report));
});
