// Takes a stream that Python has sent, for the pictures of the page that mix it. It shows nothing.

import { readHeader } from "../shared/block.js";
import { mountOnce } from "../shared/lifecycle.js";
import { deliverStream, withdrawStream } from "../shared/streams.js";

class MixData {
  receive(block) {
    const { digest } = readHeader(block);
    if (digest === this.digest) return;
    this.remove();
    this.digest = digest;
    deliverStream(digest, block);
  }

  remove() {
    if (this.digest) withdrawStream(this.digest);
  }
}

export default mountOnce(MixData, (one, { data }) => one.receive(data));
