import { format } from 'prettier';
import { ACTIONS } from '../src/values/audit.js';
import { EVENT_ACTIONS } from '../src/values/events.js';

/** The guide whose table lists every type of event. */
export const EVENT_GUIDE = 'docs/events.md';

const HEADINGS = ['Type', 'In GraphQL', 'What has happened', 'Who gets it'];

/** The guide with a table generated from the actions; the rest of its text is unchanged. */
export async function withEventTable(guide: string): Promise<string> {
  const events = EVENT_ACTIONS.map((action) => {
    const { type, text, audience } = ACTIONS[action];
    return [`\`${type}\``, `\`${action}\``, text, audience === 'MEMBERS' ? 'every member' : 'SECURITY_OFFICER'];
  });
  const rows = [HEADINGS, HEADINGS.map(() => '-'), ...events].map((cells) => `|${cells.join('|')}|`);
  const table = await format(rows.join('\n'), { parser: 'markdown' });
  const listed = new RegExp(`^\\| ${HEADINGS.join(' +\\| ')} +\\|\\n(?:\\|.*\\n)+`, 'm');
  if (!listed.test(guide)) throw new Error(`${EVENT_GUIDE} has no table of events`);
  return guide.replace(listed, () => table);
}
