import type { UserCaller } from '../access/caller.js';
import type { Queryable } from '../database/database.js';
import { incidentHref, type IncidentKey } from './locked-incident.js';
import { notify } from './notifier.js';

/** A file of an incident, as messages speak of it. */
export interface ToldAttachment extends IncidentKey {
  originalName: string;
  /** Title of the incident. */
  title: string;
}

/** Tells the members what has happened to a file of an incident; who did it knows it already. */
export function tellOfAttachment(
  tx: Queryable,
  { userId, username }: UserCaller,
  { organizationId, incidentId, originalName, title }: ToldAttachment,
  { done, at }: { done: 'attached' | 'deleted'; at: Date },
): Promise<void> {
  return notify(tx, {
    organizationId,
    type: 'INCIDENT',
    at,
    title: done === 'attached' ? 'File attached' : 'Attached file deleted',
    message: `${username} has ${done} “${originalName}” ${done === 'attached' ? 'to' : 'of'} “${title}”.`,
    href: incidentHref({ id: incidentId, organizationId }),
    to: { privilege: 'READ_INCIDENTS' },
    alerts: 'v_ciso',
    except: userId,
  });
}
