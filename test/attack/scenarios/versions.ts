import { inParallel, keepAlive, send, settled, tally } from '../support/http.js';
import { uploadForms, versionIn } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';

const CLIENTS = 64;

/** Concurrent uploads of different files to one artifact, in every form: each stored one is in its response. */
export async function versions({ start, facts, report, count }: Testbed): Promise<void> {
  const gateway = await start();
  const agent = keepAlive(CLIENTS);
  const forms = uploadForms(facts, facts.artifact_id, facts.tokens.analyst);
  const uploads = count(1_600);
  const results = await inParallel(uploads, CLIENTS, (at) => {
    const bytes = Buffer.from(`the words of upload ${at}\n`.repeat(1 + (at % 500)));
    return settled(send(gateway, (forms[at % forms.length] as (typeof forms)[0])(bytes), { agent }));
  });
  agent.destroy();
  const outcomes = results.map((result) => {
    if (result instanceof Error) return result.message;
    return versionIn(result.text) === undefined ? `${result.status} ${result.text.slice(0, 80)}` : 'stored';
  });
  const passed = outcomes.every((outcome) => outcome === 'stored');
  report.record(`different uploads to one artifact by ${CLIENTS} clients`, uploads, passed, tally(outcomes));
}
