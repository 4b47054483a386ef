// A device of a player: its token, and calls that survive a bad network.
import { setTimeout as pause } from 'node:timers/promises';

import { createGuest, type Problem } from '../../out/typescript/index.js';
import { createClient, type Client } from '../../out/typescript/client/index.js';

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 100;
// Not the service's last word: it asks for patience, or failed, or was not reached.
export const PASSING = [429, 500, 502, 503, 504];
const REFUSED_FROM = 400;

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
  let wait = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await pause(wait);
    const { data, error, response } = await call(headers);
    if (response && response.status < REFUSED_FROM) return data as Data;
    if (response && !PASSING.includes(response.status)) throw refusal(error, response.status);
    wait = Math.max(retryAfterMs(response), FIRST_PAUSE_MS * 2 ** attempt);
  }
  throw new Error(`no answer after ${ATTEMPTS} attempts`);
}

/** What to throw for this answer. */
export function refusal(told: unknown, status: number): Error {
  const isProblem = typeof told === 'object' && told !== null && 'code' in told;
  return isProblem
    ? new Refused(told as Problem)
    : new Error(`${status}, and no problem of the service`);
}

/** The milliseconds that the service asks for. */
export function retryAfterMs(response: Response | undefined): number {
  return Number(response?.headers.get('Retry-After') ?? 0) * 1000;
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
