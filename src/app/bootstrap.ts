import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { digestToken, generateToken, tokenPrefix } from '../auth/token.js';
import { readConfig } from '../config.js';
import { timeOf } from '../database/clock.js';
import type { Database, Queryable } from '../database/database.js';
import { hasPersons, lockFirstData } from '../demo/first-data.js';
import { db, statement } from '../database/sql.js';
import { FIRST_DATA_LIMITS, JOB_LIMITS, type TimeLimits } from '../database/time-limits.js';
import { DomainError } from '../errors.js';
import { User } from '../entities/members.js';
import { ApiToken } from '../entities/tokens.js';
import { isEmailAddress } from '../common/formats.js';
import { deleteMailFiles } from '../mail/mailer.js';
import { eraseAddress, eraseUser } from '../services/members/erasure.service.js';
import { issueRecoveredToken } from '../services/tokens/recovery.service.js';
import { defaultExpiry } from '../services/tokens/token-minting.js';
import { WorkflowCatalog } from '../services/workflows/catalog.js';
import { OrganizationCatalogs } from '../services/workflows/organization-catalogs.js';
import { complain, onDatabase, requireOnce, type Terminal } from './command.js';
import { CATALOG_DIR } from './server.js';
import { LIMITS } from '../values/limits.js';
import { visibleText } from '../common/visible-text.js';

const USAGE =
  'Usage: npm run bootstrap -- --email <address> [--username <name>] [--name "<First Last>"]\n       npm run bootstrap -- --recover <address>\n       npm run bootstrap -- --erase <address>';
const NO_USERNAME =
  '--username must be given, unless the e-mail address begins with one: 1 to 64 letters, digits or any of . _ + -';
const HAS_USERS =
  'This database has users already: an owner or manager among them invites others. Nothing was changed.';
const LAST_OWNER = 'The user is the last owner of an organization, which needs another one first. Nothing was changed.';
const USERNAME = /^[\p{L}\p{N}._+-]{1,64}$/u;
interface Person {
  email: string;
  username: string;
  firstName: string;
  lastName: string;
}

/** Creates the first user or a new token of a user, printed once, or erases a user or an address. Returns the exit code. */
export async function bootstrap(
  args: string[],
  env: Record<string, string | undefined>,
  terminal: Terminal = process,
): Promise<number> {
  // Normalized as texts of requests are.
  const command = commandOf(args.map((arg) => arg.normalize('NFC')));
  if (typeof command === 'string') return complain(terminal, `${command}\n${USAGE}`, 2);
  const empty = 'email' in command ? 'made' : 'refused';
  const config = readConfig(env, { empty });
  return onDatabase(config, { empty, limits: limitsOf(command) }, (database) => {
    if ('recover' in command) return recover(database, command.recover, terminal);
    if ('erase' in command) return erase(database, command.erase, config, terminal);
    return createFirst(database, command, terminal);
  });
}

type Command = Person | { recover: string } | { erase: string };

function limitsOf(command: Command): TimeLimits | undefined {
  if ('recover' in command) return undefined;
  return 'erase' in command ? JOB_LIMITS : FIRST_DATA_LIMITS;
}

/** The options, or one sentence about their error. */
function commandOf(args: string[]): Command | string {
  const text = { type: 'string' } as const;
  try {
    const { values, tokens } = parseArgs({
      args,
      options: { email: text, username: text, name: text, recover: text, erase: text },
      tokens: true,
    });
    requireOnce(tokens);
    const { recover: recovered, erase: erased, ...person } = values;
    if (recovered === undefined && erased === undefined) return personOf(person);
    if (Object.keys(values).length > 1) return '--recover and --erase go alone.';
    if (erased !== undefined && !isEmailAddress(erased.trim())) return '--erase is no e-mail address.';
    return recovered === undefined ? { erase: erased as string } : { recover: recovered };
  } catch {
    return 'Only --email, --username and --name are understood, or --recover, or --erase, each once and with a value.';
  }
}

function personOf(values: { email?: string; username?: string; name?: string }): Person | string {
  const email = values.email?.trim().toLowerCase() ?? '';
  if (email === '') return '--email is missing.';
  if (email.length > LIMITS.organization.emailCharacters || !isEmailAddress(email))
    return '--email is no e-mail address.';
  const username = values.username?.trim() ?? email.slice(0, email.lastIndexOf('@'));
  if (!USERNAME.test(username)) return NO_USERNAME;
  const [firstName = '', ...rest] = visibleText(values.name ?? '')
    .trim()
    .split(/\s+/);
  const lastName = rest.join(' ');
  if (!isName(firstName) || !isName(lastName)) return '--name must be plain text of at most 200 characters.';
  return { email, username, firstName, lastName };
}

/** No control characters and no lone surrogates: the database refuses some of them, and the others break lists. */
function isName(text: string): boolean {
  return text.length <= 200 && !/\p{Cc}|\p{Cs}/u.test(text);
}

/** User and token are inserted in one transaction. */
async function createFirst(database: Database, person: Person, terminal: Terminal): Promise<number> {
  const createdAt = await timeOf(database);
  const expiresAt = defaultExpiry(createdAt);
  const token = generateToken();
  const isCreated = await database.work(async (em) => {
    await lockFirstData(em);
    if (await hasPersons(em)) return false;
    const user = em.create(User, { id: randomUUID(), ...person, createdAt });
    em.persist(user);
    const row = { name: 'Bootstrap', digest: digestToken(token), prefix: tokenPrefix(token), createdAt, expiresAt };
    em.persist(em.create(ApiToken, { ...row, user, scopes: ['read', 'write'], allowedIps: [] }));
    return true;
  });
  if (!isCreated) return complain(terminal, HAS_USERS);
  show(terminal, `The user ${person.username} (${person.email}) was created.`, token, expiresAt);
  return 0;
}

/** The actor of this command in audit trails. */
const OPERATOR = { kind: 'system', name: 'operator' } as const;

const userByEmail = statement<{ email: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['id', 'username', 'email', 'deactivated_at as deactivatedAt'])
    .where('email', '=', p('email')),
);

function findUser(tx: Queryable, address: string) {
  return userByEmail.first(tx, { email: address.trim().toLowerCase() });
}

/** Creates a token for a user who has lost all others, prints it once, and notifies the owners of its organizations. */
async function recover(database: Database, address: string, terminal: Terminal): Promise<number> {
  const made = await database.transaction(async (tx) => {
    const user = await findUser(tx, address);
    if (user?.deactivatedAt !== null) return undefined;
    return { user, ...(await issueRecoveredToken(tx, OPERATOR, user, await timeOf(tx))) };
  });
  if (made === undefined) return complain(terminal, 'No active user has this e-mail address. Nothing was changed.');
  show(terminal, `A token was made for ${made.user.username} (${made.user.email}).`, made.token, made.expiresAt);
  return 0;
}

/** Erases a user, or an address that was only invited. Running instances learn of it from the database. */
async function erase(
  database: Database,
  address: string,
  config: { dataDir: string },
  terminal: Terminal,
): Promise<number> {
  const catalogs = new OrganizationCatalogs(database, WorkflowCatalog.load(CATALOG_DIR), { isFresh: () => false });
  try {
    const erasure = await database.transaction(async (tx) => {
      const at = await timeOf(tx);
      const user = await findUser(tx, address);
      if (user === undefined) return eraseAddress(tx, OPERATOR, { email: address.trim().toLowerCase(), at });
      return eraseUser(tx, catalogs, OPERATOR, { userId: user.id, at });
    });
    if (erasure === undefined) return complain(terminal, 'No user has this e-mail address. Nothing was changed.');
    await deleteMailFiles(config, erasure.mails);
    const [what, whose] = 'userId' in erasure ? ['user', 'its name'] : ['address', 'it'];
    terminal.stdout.write(`The ${what} was erased. ${erasure.pseudonym} stands in place of ${whose} from now on.\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError && error.reason === 'LAST_OWNER')) throw error;
    return complain(terminal, LAST_OWNER);
  }
}

/** The token is printed once, to the terminal only: it is in no log and in no file. */
function show(terminal: Terminal, what: string, token: string, expiresAt: Date): void {
  terminal.stdout.write(
    `${what} Keep its token, which is not shown again:\n\n  ${token}\n\n` +
      `It may read and write and is valid until ${expiresAt.toISOString().slice(0, 10)}. ` +
      'Send it as the header X-Service-Token.\n',
  );
}
