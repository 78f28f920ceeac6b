import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsWithoutTheirBytes, stagedFiles } from '../../resilience/support/evidence.js';
import type { GatewayProcess } from '../../resilience/support/gateway-process.js';
import { until } from '../../support/until.js';
import { send, settled, tally } from '../support/http.js';
import { Random } from '../support/random.js';
import { uploadForms, versionIn } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';

const ROUNDS = 4;
const WRITERS = 8;

type Facts = Testbed['facts'];

/** `kill -9` of the gateway, and of its database, while clients write. */
export async function kill({ start, installation, facts, report, quick }: Testbed): Promise<void> {
  const random = new Random(20_261_121);
  const files = installation.files;
  const lost: string[] = [];
  let acknowledged = 0;
  for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
    const gateway = await start();
    const writing = new Writers(gateway, facts, round);
    await sleep(1_000 + random.below(2_000));
    await gateway.end('SIGKILL');
    await writing.stop();
    const again = await start();
    acknowledged += writing.acknowledged.length;
    lost.push(...(await missing(again, facts.tokens.viewer, writing)));
    await until('nothing is left of what was received', async () => (await stagedFiles(files)).length === 0);
    await again.end('SIGKILL');
  }
  report.record(
    'kill -9 of the gateway under load loses nothing',
    acknowledged,
    acknowledged > 0 && lost.length === 0,
    lost.join(', '),
  );
  const halfMade = await rowsWithoutTheirBytes(installation.database, files);
  report.record('and leaves no record without its bytes', acknowledged, halfMade.length === 0, halfMade.join(', '));
  await killDatabase({ start, installation, report, facts, quick } as Testbed);
}

/** Kills the server process of the embedded database: the gateway restarts it. */
async function killDatabase({ start, installation, report, quick }: Testbed): Promise<void> {
  const dataDir = join(installation.dataDir, 'embedded');
  const gateway = await start({ DATABASE_URL: '', DATA_DIR: dataDir, DEMO: '1' });
  const facts = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Facts;
  const writing = new Writers(gateway, facts, 100);
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    await sleep(1_500);
    process.kill(await postmasterOf(dataDir), 'SIGKILL');
    await until(
      'the gateway is ready again',
      async () => (await send(gateway, { path: '/health/ready' })).status === 200,
    );
  }
  await sleep(1_500);
  await writing.stop();
  const lost = await missing(gateway, facts.tokens.viewer, writing);
  const odd = writing.others.filter((status) => status !== '503');
  const { length } = writing.acknowledged;
  report.record(
    'kill -9 of the database under load loses nothing',
    length,
    length > 0 && lost.length === 0,
    lost.join(', '),
  );
  report.record(
    'and every request is answered meanwhile, with 503 at worst',
    length + writing.others.length,
    odd.length === 0,
    tally(writing.others),
  );
  report.record('and the gateway stops with 0', 1, (await gateway.end('SIGTERM')).code === 0);
}

/** Clients that open incidents and upload documents sequentially; acknowledged changes must be stored. */
class Writers {
  readonly acknowledged: string[] = [];
  /** The last version of each client: older ones are deleted. */
  readonly newest = new Map<number, string>();
  /** Every other response, or its absence. */
  readonly others: string[] = [];
  private stopped = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly gateway: GatewayProcess,
    private readonly facts: Facts,
    private readonly round: number,
  ) {
    this.running = Promise.all(Array.from({ length: WRITERS }, (_, client) => this.write(client)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async write(client: number): Promise<void> {
    const { organization_id: organization, tokens } = this.facts;
    const upload = uploadForms(this.facts, `A.8.${1 + client}`, tokens.analyst)[client % 5];
    for (let at = 0; !this.stopped; at += 1) {
      const isUpload = client % 2 === 0;
      const bytes = Buffer.from(
        `round ${this.round}, client ${client}, upload ${at}\n`.repeat(1 + ((at * 97) % 4_000)),
      );
      const path = `/api/v1/v-ciso/incidents/${organization}`;
      const incident = {
        method: 'POST',
        path,
        token: tokens.analyst,
        body: { title: `Incident ${at}`, severity: 'LOW' },
      };
      const result = await settled(send(this.gateway, isUpload && upload !== undefined ? upload(bytes) : incident));
      const id = result instanceof Error || result.status > 201 ? undefined : versionIn(result.text);
      if (id === undefined) {
        this.others.push(result instanceof Error ? result.message : String(result.status));
        await sleep(50);
        continue;
      }
      const where = isUpload ? `/api/v1/v-ciso/organizations/${organization}/documents/${id}` : `${path}/${id}`;
      if (!isUpload || at % 3 === 0) this.acknowledged.push(where);
      if (isUpload) this.newest.set(client, where);
    }
  }
}

/** Acknowledged changes that are missing: all incidents, and the newest version of each client. */
async function missing(gateway: GatewayProcess, token: string, { acknowledged, newest }: Writers): Promise<string[]> {
  const lost: string[] = [];
  for (const path of new Set([...acknowledged.filter((each) => each.includes('/incidents/')), ...newest.values()])) {
    const { status } = await send(gateway, { path, token });
    if (status !== 200) lost.push(`${path}: ${status}`);
  }
  return lost;
}

async function postmasterOf(dataDir: string): Promise<number> {
  const found = (await readdir(dataDir, { recursive: true })).find((name) => name.endsWith('postmaster.pid')) ?? '';
  return Number((await readFile(join(dataDir, found), 'utf8')).split('\n', 1)[0]);
}
