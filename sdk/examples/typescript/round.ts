// One round against bots, from the first deal to the settlement.
import {
  createSession,
  getHint,
  getRound,
  getState,
  makeMove,
  waitForState,
  type GameSlug,
  type MoveRequest,
  type State,
} from '../../out/typescript/index.js';
import type { Client } from '../../out/typescript/client/index.js';
import { Refused, send } from './connection.js';
import { changes } from './events.js';

const WAIT_SECONDS = 20;

/** What happened, for whoever looks on. */
export type Report = {
  accepted: number;
  logged: number;
  conflicts: number;
  waits: number;
  versions: number[];
  points: number[];
};

/** Play a round. `outdated` makes the first move one for a decision that is closed already. */
export async function playRound(
  client: Client,
  game: GameSlug,
  outdated: boolean,
): Promise<Report> {
  const session = await send((headers) =>
    createSession({ client, headers, body: { game, options: { bot_delay_ms: 20 } } }),
  );
  const path = { session_id: session.id };
  const listening = new AbortController();
  const told = listen(client, session.id, listening.signal);
  await told(session.version);

  const report = { accepted: 0, logged: 0, conflicts: 0, waits: 0 };
  let state = await send(() => getState({ client, path }));
  while (state.status === 'playing') {
    if (!mustAct(state)) {
      const query = { since: state.version, timeout: WAIT_SECONDS };
      state = await send(() => waitForState({ client, path, query }));
      report.waits += 1;
      continue;
    }
    const move = await chooseMove(client, state);
    if (outdated) move.turn = state.turn - 1;
    outdated = false;
    try {
      const answer = await send((headers) => makeMove({ client, path, headers, body: move }));
      state = answer.state;
      report.accepted += 1;
    } catch (error) {
      // Something happened meanwhile. The refusal carries the fresh state: decide anew from it.
      if (!(error instanceof Refused && error.problem.state)) throw error;
      state = error.problem.state;
      report.conflicts += 1;
    }
  }

  const settlement = state.settlement;
  if (!settlement) throw new Error(`${game} ended without a settlement`);
  const replay = await send(() => getRound({ client, path: { ...path, number: state.round } }));
  const own = state.you?.seat;
  report.logged = replay.moves.filter((m) => m.seat === own && m.actor === 'person').length;
  const versions = await told(state.version);
  listening.abort();
  return { ...report, versions, points: settlement.points };
}

function mustAct(state: State): boolean {
  const own = state.you?.seat;
  return own !== undefined && state.to_act.includes(own) && !state.seats[own]?.has_acted;
}

async function chooseMove(client: Client, state: State): Promise<MoveRequest> {
  const path = { session_id: state.session_id };
  const { move } = await send(() => getHint({ client, path }));
  if (!move) throw new Error(`no hint in ${state.phase}`);
  return move;
}

/** Follow the events; the answer waits for a version and gives all versions that were told. */
function listen(client: Client, sessionId: string, signal: AbortSignal) {
  const versions: number[] = [];
  let heard = () => {};
  const ended = (async () => {
    for await (const event of changes(client, sessionId, signal)) {
      versions.push(event.version);
      heard();
    }
  })();
  return async (version: number): Promise<number[]> => {
    while ((versions.at(-1) ?? -1) < version) {
      await Promise.race([new Promise<void>((resolve) => (heard = resolve)), ended]);
    }
    return versions;
  };
}
