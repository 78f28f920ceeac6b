import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.js';
import { send, settled, tally, type Received, type Sent } from '../support/http.js';
import { uploadForms, versionIn } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';

const DISK_MEGABYTES = 400;
const FILLER_MEGABYTES = 360;

/** Uploads until the disk of the files is full, and then frees space. */
export async function disk({ start, installation, facts, report }: Testbed): Promise<void> {
  const folder = join(installation.dataDir, 'small-disk');
  await mkdir(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return report.skipped('a full disk', 'mounting a small disk needs root');
  }
  try {
    const gateway = await start({ STORAGE_URL: `file:${join(folder, 'files')}` });
    await writeFile(join(folder, 'filler'), randomBytes(FILLER_MEGABYTES * 1024 * 1024));
    const stored = new Map<number, string>();
    const results: (Received | Error)[] = [];
    const upload = async (at: number) => {
      const bytes = Buffer.from(randomBytes(1_500_000).toString('base64'));
      const form = uploadForms(facts, `A.5.${1 + (at % 30)}`, facts.tokens.analyst)[2] as (bytes: Buffer) => Sent;
      const result = await settled(send(gateway, form(bytes)));
      const id = result instanceof Error ? undefined : versionIn(result.text);
      if (id !== undefined) stored.set(id, createHash('sha256').update(bytes).digest('hex'));
      results.push(result);
      return id;
    };
    for (let at = 0; at < 40; at += 1) await upload(at);
    const refused = results.filter((result) => result instanceof Error || result.status !== 201);
    const passed = refused.length > 0 && refused.every((result) => !(result instanceof Error) && result.status === 503);
    report.record('uploads to a full disk', results.length, passed, tally(results));
    // The remaining space may suffice for a readiness check: fill it, too.
    await settled(writeFile(join(folder, 'last-bytes'), Buffer.alloc(8 * 1024 * 1024)));
    const readiness = () => send(gateway, { path: '/health/ready' });
    const notReady = await until('it is not ready', async () => (await readiness()).status === 503).then(
      () => true,
      () => false,
    );
    report.record('readiness says that the disk is full', 1, notReady, (await readiness()).text);
    for (const name of ['filler', 'last-bytes']) await rm(join(folder, name));
    const recovered = await until('uploads work again', async () => (await upload(50)) !== undefined).then(
      () => true,
      () => false,
    );
    const ready = await until('it is ready', async () => (await readiness()).status === 200).then(
      () => true,
      () => false,
    );
    report.record('with room again everything works', 1, recovered && ready, (await readiness()).text);
    const wrong: string[] = [];
    for (const [id, sha256] of stored) {
      const { text } = await send(gateway, {
        path: `/api/v1/v-ciso/organizations/${facts.organization_id}/documents/${id}`,
        token: facts.tokens.viewer,
      });
      const url = new URL((JSON.parse(text) as { data: { download_url: string } }).data.download_url);
      const { bytes } = await send(gateway, { path: url.pathname + url.search });
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) wrong.push(String(id));
    }
    report.record('what was acknowledged is there, byte for byte', stored.size, wrong.length === 0, wrong.join(', '));
  } finally {
    await installation.killAll();
    execFileSync('umount', [folder]);
  }
}
