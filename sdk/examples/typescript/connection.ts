// A device of a player: its token, and calls that survive a bad network.
import { setTimeout as pause } from 'node:timers/promises';

import { createGuest, type Problem } from '../../out/typescript/index.js';
import { createClient, type Client } from '../../out/typescript/client/index.js';

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 100;
// Not the service's last word: it asks for patience, or something on the way did not reach it.
const PASSING = [429, 502, 503, 504];

type Answer<Data> = { data?: Data; error?: unknown; response?: Response };

/** A call that the service refused; `problem.code` says why. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
  }
}

/**
 * What the service answers. The call is sent again while no answer comes, each time with the same
 * `Idempotency-Key`, so that whatever it does is done once.
 */
export async function send<Data>(
  call: (headers: { 'Idempotency-Key': string }) => Promise<Answer<Data>>,
): Promise<Data> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { data, error, response } = await call(headers);
    if (response && !PASSING.includes(response.status)) {
      if (data === undefined) throw new Refused(error as Problem);
      return data;
    }
    const asked = Number(response?.headers.get('Retry-After') ?? 0) * 1000;
    await pause(Math.max(asked, FIRST_PAUSE_MS * 2 ** attempt));
  }
  throw new Error(`no answer after ${ATTEMPTS} attempts`);
}

/** A new guest's device. With the same secret, kept on the device, it is the same guest again. */
export async function connect(url: string, fetch: typeof globalThis.fetch): Promise<Client> {
  const deviceSecret = crypto.randomUUID() + crypto.randomUUID();
  const anonymous = createClient({ baseUrl: url, fetch });
  const guest = await send(() =>
    createGuest({ client: anonymous, body: { device_secret: deviceSecret } }),
  );
  return createClient({ baseUrl: url, fetch, auth: () => guest.token });
}
