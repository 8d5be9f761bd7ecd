// What belongs to the whole window, not to a part of the page: the notice of a lost connection.

import { takeNoSpace } from "../shared/lifecycle.js";
import { BACK } from "../shared/moves.js";
import { ConnectionNotice } from "./connection_notice.js";

// There is one as long as the page is open, since the component may be mounted again meanwhile.
export default function ({ parentElement, setTriggerValue }) {
  const notice = (window.akloConnectionNotice ??= new ConnectionNotice());
  notice.source = parentElement.querySelector("span");
  // A server that has forgotten the page knows none of its components until the page has run: it runs at once, not with
  // the visitor's next move, of which it would then hear nothing.
  notice.onBack = () => {
    setTriggerValue("back", (notice.returns = (notice.returns ?? 0) + 1));
    window.dispatchEvent(new Event(BACK));
  };
  notice.follow(); // the server may have gone before the component was mounted
  takeNoSpace(parentElement);
}
