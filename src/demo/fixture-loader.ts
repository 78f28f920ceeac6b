import {
  ReferenceKind,
  type EntityManager,
  type EntityMetadata,
  type EntityProperty,
  type EntitySchema,
} from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { digestToken, generateToken, tokenPrefix } from '../auth/token.js';
import { StartupError } from '../errors.js';
import { entities } from '../entities/index.js';
import { User } from '../entities/members.js';
import type { Queryable } from '../database/database.js';
import { lockContent } from '../services/files/stored-content.js';
import { dayOf } from '../common/local-time.js';
import { Organization } from '../entities/organizations.js';
import { english } from '../messages/language.js';
import { NOTIFICATION_ICONS, said, type NoticeName } from '../services/notifications/notifier.js';
import { fileOf, readFile, timeOf, type DemoFile, type FixtureRow } from '../services/sandboxes/fixtures.js';
import { stageLogo } from '../services/organizations/logo.js';
import type { BlobStore, StagedBlob } from '../storage/blob-store.js';
import { detectFileType } from '../storage/file-type.js';
import type { NotificationType } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';

type Values = Record<string, unknown>;

/** Keys of fixtures beside the entity's properties. */
const EXTRAS: ReadonlySet<string> = new Set(['key', 'file', 'by', 'traffic', 'notice', 'values']);

/** A notification with a text of the gateway. */
interface NotificationFixture {
  type: NotificationType;
  href: string;
  notice: NoticeName;
  /** Of the text: `when` and `day` are times of the fixture, and `{Incident.running.title}` is that of the row. */
  values: Readonly<Record<string, string | number>>;
  organization: string;
}

interface Loaded {
  entity: object;
  row: FixtureRow;
}

interface Type {
  readonly name: string;
  readonly '~entity': object;
}

/** Adds rows of fixture files to the unit of work, in their order. */
export class FixtureLoader {
  /** Secrets of tokens with a key. */
  readonly tokens = new Map<string, string>();
  private readonly loaded: Loaded[] = [];
  private readonly files = new Map<unknown, DemoFile>();

  constructor(
    private readonly em: EntityManager,
    private readonly blobs: BlobStore,
    private readonly now: Date,
  ) {}

  /** Throws StartupError, with file and path, for a row that does not fit its entity or the rows before it. */
  async load(rows: readonly FixtureRow[]): Promise<void> {
    for (const row of rows) {
      const type = entities.find(({ name }) => name === row.entity) as EntitySchema<object> | undefined;
      if (row.entity === 'File') {
        this.files.set(row.values['key'], fileOf(row, this.now));
        continue;
      }
      if (type === undefined) throw rowError(row, 'there is no such entity');
      const metadata = this.em.getMetadata().get(type);
      const entity = this.em.create(type, { ...this.valuesOf(row, metadata), ...(await this.completed(row)) } as never);
      this.em.persist(entity);
      this.loaded.push({ entity, row });
    }
  }

  /** The row of `type` that has this key. */
  get<Of extends Type>(type: Of, key: string): Of['~entity'] {
    const found = this.find(type.name, key);
    if (found === undefined) throw new Error(`No ${type.name} of the demo has the key ${key}`);
    return found;
  }

  all<Of extends Type>(type: Of): Of['~entity'][] {
    return this.loaded.filter(({ row }) => row.entity === type.name).map(({ entity }) => entity);
  }

  fixtureOf(entity: object): Values {
    return this.loaded.find((each) => each.entity === entity)?.row.values ?? {};
  }

  private find(entity: string, key: unknown): object | undefined {
    return this.loaded.find(({ row }) => row.entity === entity && row.values['key'] === key)?.entity;
  }

  private named(row: FixtureRow, entity: string, key: unknown): object {
    const found = this.find(entity, key);
    if (found === undefined) throw rowError(row, `no ${entity} has the key ${String(key)}`);
    return found;
  }

  private valuesOf(row: FixtureRow, { props }: EntityMetadata): Values {
    const known = new Map(props.map((property) => [property.name, property]));
    const given = Object.keys(row.values).filter((name) => !EXTRAS.has(name));
    return Object.fromEntries(
      given.map((name) => {
        const property = known.get(name);
        if (property === undefined) throw rowError(row, `${row.entity} has no property ${name}`);
        return [name, this.valueOf(row, property)];
      }),
    );
  }

  private valueOf(row: FixtureRow, property: EntityProperty): unknown {
    const value = row.values[property.name];
    if (property.kind !== ReferenceKind.SCALAR)
      return this.named(row, property.targetMeta?.className ?? property.type, value);
    const [column = ''] = property.columnTypes;
    if (column.startsWith('timestamptz(')) return timeOf(value as string, this.now);
    if (column === 'timestamptz[]') return (value as string[]).map((each) => timeOf(each, this.now).toISOString());
    if (column === 'date')
      return timeOf(value as string, this.now)
        .toISOString()
        .slice(0, 10);
    return value;
  }

  /** Adds the values that fixtures omit. */
  private async completed(row: FixtureRow): Promise<Values> {
    const { entity, values } = row;
    if (entity === 'ApiToken') return this.completedToken(values['key']);
    if (entity === 'Invitation') return { digest: digestToken(generateToken('invitation')) };
    if (entity === 'User') return { id: values['id'] ?? randomUUID() };
    if (entity === 'ThreatBlocker') return { atbKey: randomUUID() };
    if (entity === 'Notification') return this.completedNotification(row);
    if (entity === 'DocumentVersion' || entity === 'IncidentAttachment') return this.completedFile(row);
    if (entity === 'Organization' && values['logo'] !== undefined)
      return { logo: await this.storeLogo(readFile(values['logo'] as string)) };
    return {};
  }

  private completedToken(key: unknown): Values {
    const token = generateToken();
    if (typeof key === 'string') this.tokens.set(key, token);
    return { digest: digestToken(token), prefix: tokenPrefix(token) };
  }

  private completedNotification(row: FixtureRow): Values {
    const { type, href, notice, values, organization } = row.values as unknown as NotificationFixture;
    const filled = (text: string) =>
      text.replaceAll(/\{(\w+)\.(\w+)(?:\.(\w+))?\}/g, (_, entity: string, key: string, property = 'id') =>
        String((this.named(row, entity, key) as Values)[property]),
      );
    const { timeZone } = this.named(row, Organization.name, organization) as Organization;
    const shown = (name: string, value: string | number) => {
      if (name === 'when') return english.instant(timeOf(String(value), this.now), timeZone);
      if (name === 'day') return english.day(dayOf(timeOf(String(value), this.now), timeZone));
      return typeof value === 'string' ? filled(value) : value;
    };
    const inTexts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(name, value)]));
    const { title, message } = said(english, notice, inTexts);
    return {
      title: title.charAt(0).toUpperCase() + title.slice(1),
      ...{ message, icon: NOTIFICATION_ICONS[type], action: 'OPEN', href: filled(href) },
    };
  }

  private async completedFile(row: FixtureRow): Promise<Values> {
    const file = this.files.get(row.values['file']);
    if (file === undefined) throw rowError(row, `no File has the key ${String(row.values['file'])}`);
    const { id, username } = this.named(row, User.name, row.values['by']) as User;
    return { ...(await this.store(file)), createdBy: username, uploaderId: id };
  }

  /** Stored as uploads are: with the same check of the type, and bytes before their row. */
  private async store({ name, content }: DemoFile): Promise<Values> {
    const staged = await this.blobs.stage(streamOf(content), LIMITS.document.maxBytes);
    return this.storeStaged(staged, async () => {
      const { size, sha256 } = staged;
      const { mediaType } = await detectFileType(staged, { filename: name });
      return { originalName: name, contentType: mediaType, size, sha256 };
    });
  }

  /** Returns the path stored in the organization's row. */
  private async storeLogo({ name, content }: DemoFile): Promise<string> {
    const facts = async () => ({ filename: name });
    const { staged, path } = await stageLogo(this.blobs, { bytes: streamOf(content), facts });
    return this.storeStaged(staged, async () => path);
  }

  private async storeStaged<Facts>(staged: StagedBlob, describe: () => Promise<Facts>): Promise<Facts> {
    try {
      const facts = await describe();
      // The sweep of another instance waits for this commit, and then finds the rows.
      await lockContent.all(queryable(this.em), staged);
      await staged.store();
      return facts;
    } finally {
      await staged.discard();
    }
  }
}

async function* streamOf(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}

/** Runs statements in the ORM's transaction; its placeholders are `?` in the order of the values. */
export function queryable(em: EntityManager): Queryable {
  return {
    rows: (text, values = []) => {
      const inOrder = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1]);
      return em.execute(text.replaceAll(/\$\d+/g, '?'), inOrder);
    },
  };
}

function rowError({ place }: FixtureRow, problem: string): StartupError {
  return new StartupError(`The demo data is not valid: ${place}, ${problem}.`);
}
