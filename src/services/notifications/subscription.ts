import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { invalidInput } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import type { LiveNotification, LiveNotifications } from './live-notifications.js';
import type { NotificationBroadcaster } from './broadcaster.js';
import { NotificationStream } from './stream.js';

export interface LiveQuery {
  organizationId?: number | null;
  /** The last id that the caller has seen. */
  since?: number | null;
}

/** New notifications of the caller as they are made. */
export class NotificationLiveService {
  constructor(
    private readonly access: Access,
    private readonly broadcaster: NotificationBroadcaster,
    private readonly notifications: LiveNotifications,
  ) {}

  /**
   * Notifications in the order of their ids, until the caller ends it. `caller` is asked again before each delivery,
   * because a token can lose its scope, and its holder the membership, while it stays connected. Throws NOT_FOUND for an
   * organization of others.
   */
  async follow(caller: () => Caller, query: LiveQuery, selection: Selection): Promise<NotificationStream> {
    const { organizationId = null } = query;
    const { userId } = this.access.authorizeSelf(caller(), 'read');
    if (query.since != null && query.since < 0)
      throw invalidInput([{ path: ['since'], sentence: 'must be 0 or more' }]);
    if (organizationId !== null) await this.access.authorize(caller(), 'READ_ORGANIZATION', organizationId);
    const admits = async (notification: LiveNotification) =>
      this.access.allows(this.access.authorizeSelf(caller(), 'read'), 'READ_ORGANIZATION', notification.organizationId);
    // What was made before is not new, also where this instance has yet to hear of it.
    const since = query.since ?? (await this.notifications.newestId());
    const request = { userId, organizationId, since, organizationSelection: selection.of('organization'), admits };
    return NotificationStream.open(request, this.broadcaster, this.notifications);
  }
}
