import { dataOf, type components } from '@compliance-gateway/client';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { EXIT, CommandError, UsageError } from '../errors.js';
import { type Command } from '../command.js';
import type { Context } from '../context.js';
import { readCredentials, removeCredentials, writeCredentials } from '../credentials.js';

type CurrentToken = components['schemas']['CurrentToken'];

export const login: Command = {
  name: 'login',
  summary: 'Store the address of a gateway and a token for it',
  usage: '',
  options: {},
  details: `The token is asked for and not shown, or read from the standard input: "compliance login --url ADDRESS < token.txt".
It is stored where the platform keeps configurations, readable by you alone. In a pipeline set COMPLIANCE_URL and
COMPLIANCE_TOKEN instead: they go before what is stored, and nothing is written.`,
  async run(context, given) {
    given.arguments();
    const url = context.namedUrl() ?? (await readCredentials())?.url;
    if (url === undefined) throw new UsageError('Say which gateway, as in --url https://gateway.example');
    const { hostname, protocol } = new URL(context.clientOf(url).url);
    if (protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname))
      context.output.note(`Warning: without TLS, everything between here and ${hostname} can read the token`);
    const token = await readToken(context);
    const client = context.clientOf(url, token);
    const current = await dataOf(client.GET('/api/v1/token'));
    const file = await writeCredentials({ url: client.url, token });
    context.output.result({ url: client.url, file, ...shown(current) }, `${words(current)}\nThe token is in ${file}`);
  },
};

export const logout: Command = {
  name: 'logout',
  summary: 'Forget the stored token; it stays valid until it is revoked or expires',
  isLocal: true,
  usage: '',
  options: {},
  async run(context, given) {
    given.arguments();
    await removeCredentials();
    context.output.result({ stored: false }, 'No token is stored');
  },
};

export const whoami: Command = {
  name: 'whoami',
  summary: 'Show whose token is used, and what it reaches',
  usage: '',
  options: {},
  async run(context, given) {
    given.arguments();
    const client = await context.client();
    const current = await dataOf(client.GET('/api/v1/token'));
    context.output.result({ url: client.url, ...shown(current) }, `${words(current)}\nGateway: ${client.url}`);
  },
};

async function readToken(context: Context): Promise<string> {
  const typed = process.stdin.isTTY ? await promptForToken(context) : await text(process.stdin);
  const token = typed.trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CommandError('That is no token: it has one line of letters and digits', EXIT.usage);
  return token;
}

/** Prompts for a line on the terminal; the input is not stored anywhere else. */
async function promptForToken({ signal }: Context): Promise<string> {
  process.stderr.write('Token (not shown): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // A terminal in line mode reports Ctrl-C as a key.
  prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await prompt.question('', { signal });
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}

function shown({ user, token, organizations }: CurrentToken) {
  return { user, token, organizations };
}

/** Maximum number of organizations that the gateway lists. */
const LISTED = 100;

function words({ user, token, organizations }: CurrentToken): string {
  const reached = organizations.map(({ organization: { id, name }, role }) => `  ${id}  ${name}: ${role}`);
  const first = reached.length === LISTED ? ` (the first ${LISTED} by name)` : '';
  return [
    `${user.username}, by the token "${token.name}" (${token.scopes.join(', ')}), valid until ${token.expires_at}`,
    ...(reached.length > 0 ? [`Organizations${first}:`, ...reached] : ['It reaches no organization']),
  ].join('\n');
}
