import { GatewayError } from '@compliance-gateway/client';
import { AuditTrailFault, OtherFile } from '@compliance-gateway/client/audit-trail';
import { Given, optionsOf } from './given.js';
import { CommandError, EXIT, UsageError } from './errors.js';
import { type Command } from './command.js';
import { eventsTail, webhooksListen } from './commands/events.js';
import { evidencePush } from './commands/evidence.js';
import { incidentList, incidentOpen, incidentShow, incidentUpdate, reportDraft } from './commands/incidents.js';
import { login, logout, whoami } from './commands/login.js';
import { proofSave, proofVerify } from './commands/proof.js';
import { trailVerify } from './commands/trail.js';
import { due } from './commands/work.js';
import { Context, reasonOf } from './context.js';
import { Output } from './output.js';

const COMMANDS: readonly Command[] = [
  login,
  logout,
  whoami,
  due,
  incidentOpen,
  incidentUpdate,
  incidentList,
  incidentShow,
  reportDraft,
  evidencePush,
  trailVerify,
  proofSave,
  proofVerify,
  eventsTail,
  webhooksListen,
];

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the command line and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, at) => args[at] === word));
  const output = new Output(args.includes('--json') ? 'JSON' : 'TEXT');
  // A closed pipe, such as that of head, is no failure. A full disk is: the rest of the output would be missing.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') output.failure(`The output cannot be written: ${error.message}`, EXIT.failed);
    else if (command?.goesOnUnread) return;
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
  });
  // No output is possible any more: the exit code reports the result.
  process.stderr.on('error', () => undefined);
  if (command === undefined) return withoutCommand(args, output);
  const abort = new AbortController();
  let ended: keyof typeof SIGNALS | undefined;
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[])
    process.once(signal, () => {
      ended = signal;
      abort.abort(new Error('Interrupted'));
    });
  try {
    const given = Given.parse(args.slice(command.name.split(' ').length), command);
    if (given.has('help')) process.stdout.write(helpOf(command));
    else await command.run(new Context(given, abort.signal), given);
    return ended === undefined ? EXIT.done : SIGNALS[ended];
  } catch (error) {
    if (ended !== undefined) {
      output.failure('Interrupted', SIGNALS[ended]);
      return SIGNALS[ended];
    }
    const [text, exitCode] = explained(error);
    output.failure(text, exitCode);
    return exitCode;
  }
}

function withoutCommand(args: readonly string[], output: Output): number {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const isHelpRequested = words[0] === 'help' || args[0] === '--help' || args[0] === '-h';
  if (args.length === 0 || isHelpRequested) {
    process.stdout.write(overview());
    return isHelpRequested ? EXIT.done : EXIT.usage;
  }
  if (args[0]?.startsWith('-')) {
    output.failure('Options stand behind a command: see "compliance help"', EXIT.usage);
    return EXIT.usage;
  }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name);
  const hint = group.length > 0 ? `it is one of: ${group.join(', ')}` : 'see "compliance help"';
  output.failure(`"${words.slice(0, 2).join(' ')}" is no command: ${hint}`, EXIT.usage);
  return EXIT.usage;
}

/** The text that explains an error to the user, with what to do, and the exit code. */
function explained(error: unknown): [text: string, exitCode: number] {
  if (error instanceof UsageError) return [error.message, EXIT.usage];
  if (error instanceof CommandError) return [error.message, error.exitCode];
  if (error instanceof AuditTrailFault) return [`not valid: ${error.message}`, EXIT.failed];
  if (error instanceof OtherFile) return [`nothing was verified: ${error.message}`, EXIT.usage];
  if (error instanceof SyntaxError || (error instanceof GatewayError && error.status < 300))
    return ['The answer is none of the gateway: is the address right, or does something in front answer?', EXIT.failed];
  if (error instanceof GatewayError) return explainedAnswer(error);
  if (error instanceof Error && isCertificateError(error))
    return [
      `${reasonOf(error)}: its certificate is not accepted. Check the address; NODE_EXTRA_CA_CERTS names the file of an authority of your own`,
      EXIT.failed,
    ];
  if (error instanceof Error && isUnreachable(error))
    return [`${reasonOf(error)}: check the address, or try again later`, EXIT.temporary];
  if (error instanceof Error && 'code' in error) return [error.message, EXIT.failed];
  throw error;
}

function explainedAnswer({
  status,
  messages,
  headers,
  reason,
  requestId,
  isTemporary,
}: GatewayError): [string, number] {
  const said = messages.filter((message) => typeof message === 'string').join(' ');
  const id = requestId === undefined ? '' : ` (request ${requestId})`;
  if (status === 401)
    return ['The token is unknown, expired or revoked: run "compliance login" with a new one', EXIT.noAccess];
  if (status === 403)
    return [`Forbidden: ${said || 'the role or the scopes of the token do not suffice'}`, EXIT.noAccess];
  if (status === 404)
    return [
      `Not found: ${said || 'there is no such thing, or it belongs to an organization of others'}`,
      EXIT.noAccess,
    ];
  if (status === 410) return [`Gone: ${said}`, EXIT.failed];
  if (status >= 300 && status < 400)
    return [`The address leads elsewhere: use ${headers.get('location') ?? 'the one behind it'} itself`, EXIT.failed];
  const wait = headers.get('retry-after');
  // A number of seconds, or a date.
  const when = wait === null ? 'later' : /^\d+$/.test(wait) ? `in ${wait} s` : `after ${wait}`;
  if (isTemporary)
    return [`${status}: ${said || 'the gateway is overloaded or away'}; try again ${when}`, EXIT.temporary];
  const known = said || headers.get('audit-trail-fault') || reason;
  if (known && status < 500) return [`${status}: ${known}`, EXIT.failed];
  const unknown = requestId === undefined ? 'no answer of the gateway' : 'the gateway gives no reason';
  return [`${status}: ${known || unknown}${id}`, EXIT.failed];
}

/** Fetch throws TypeError for every failure of the network, and the client TimeoutError for a late answer. */
function isUnreachable(error: Error): boolean {
  return error instanceof TypeError ? 'cause' in error : error.name === 'TimeoutError';
}

/** Codes of OpenSSL and of Node, for which a retry changes nothing. */
function isCertificateError({ cause }: Error): boolean {
  return /CERT|UNABLE_TO_/.test((cause as { code?: string } | undefined)?.code ?? '');
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: compliance COMMAND [OPTIONS]

${lines.join('\n')}

"compliance COMMAND --help" shows the options of a command. Exit codes: 0 done, 1 failed, 2 wrong usage (nothing was
sent), 3 no access (no valid token, forbidden, not found), 4 temporary (try again), 130 interrupted.
`;
}

function helpOf(command: Command): string {
  const { name, summary, usage, details } = command;
  const all = Object.entries(optionsOf(command));
  const names = all.map(([option, { value }]) => `--${option}${value === undefined ? '' : ` ${value}`}`);
  const width = Math.max(...names.map(({ length }) => length));
  const lines = all.map(
    ([, { help, isRepeatable }], at) =>
      `  ${names[at]!.padEnd(width)}  ${help}${isRepeatable ? ' (may be repeated)' : ''}`,
  );
  const arguments_ = usage === '' ? '' : ` ${usage}`;
  return `Usage: compliance ${name}${arguments_} [OPTIONS]\n\n${summary}.\n\n${lines.join('\n')}\n${details === undefined ? '' : `\n${details.trim()}\n`}`;
}
