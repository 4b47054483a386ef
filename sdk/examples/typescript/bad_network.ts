// A network as phones have it: answers get lost on the way, and streams are cut.

/** A `fetch` that loses the answer of every second POST and cuts the first event streams. */
export class BadNetwork {
  lost = 0;
  cut = 0;
  private posts = 0;

  constructor(private readonly streamsToCut: number) {}

  fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const response = await fetch(request);
    if (request.method === 'POST' && ++this.posts % 2 === 0) {
      this.lost += 1;
      await response.arrayBuffer();
      throw new TypeError('the answer was lost');
    }
    const isStream = response.headers.get('Content-Type') === 'text/event-stream';
    return isStream && this.cut < this.streamsToCut ? this.cutOff(response) : response;
  };

  private cutOff(response: Response): Response {
    this.cut += 1;
    const reader = response.body!.getReader();
    let chunks = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (++chunks > 1) {
          await reader.cancel();
          controller.error(new TypeError('the stream was cut'));
          return;
        }
        const { value } = await reader.read();
        if (value) controller.enqueue(value);
      },
    });
    return new Response(body, response);
  }
}
