// node out/javascript/examples/typescript/main.js URL GAME [--bad-network]
import { GameSlug } from '../../out/typescript/index.js';
import { BadNetwork } from './bad_network.js';
import { connect } from './connection.js';
import { playRound } from './round.js';

const [url, slug, flag] = process.argv.slice(2);
const game = Object.values(GameSlug).find((known) => known === slug);
if (!url || !game) throw new Error(`which game at which URL? ${Object.values(GameSlug)}`);

const bad = flag === '--bad-network';
const network = new BadNetwork(2);
const client = await connect(url, bad ? network.fetch : fetch);
const report = await playRound(client, game, bad);
console.log(JSON.stringify({ ...report, lost: network.lost, cut: network.cut }));
