import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import type { ReadRecorder } from './read-recorder.js';
import { organizationEvent, userEvent } from './subjects.js';
import { nameAndZone } from '../shared/organization-columns.js';

/** A list that is downloaded as a file. */
export interface ListDownload {
  /** Its name in the API description. */
  list: string;
  format: string;
  /** The organization of the list; undefined where it has items of several organizations. */
  organizationId: number | undefined;
}

/** Records downloads of lists: in the trail of the organization, or of the user for lists of several. */
export class ListDownloadService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly readings: ReadRecorder,
    private readonly now: () => Date,
  ) {}

  /** Throws as `record` does, and records nothing. */
  async authorize(caller: Caller, organizationId: number | undefined): Promise<void> {
    if (organizationId === undefined) this.access.authorizeSelf(caller, 'read');
    else await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
  }

  /** Throws NOT_FOUND and FORBIDDEN. */
  async record(caller: Caller, { list, format, organizationId }: ListDownload): Promise<void> {
    const changes = { list: { after: list }, format: { after: format } };
    const facts = { action: 'LIST_DOWNLOADED', at: this.now(), changes } as const;
    if (organizationId === undefined) {
      const user = this.access.authorizeSelf(caller, 'read');
      return this.readings.read(user, userEvent(user, facts));
    }
    await this.access.authorize(caller, 'READ_ORGANIZATION', organizationId);
    const { name } = await nameAndZone.one(this.database, { organizationId });
    await this.readings.read(caller, organizationEvent({ id: organizationId, name }, facts));
  }
}
