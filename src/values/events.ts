import { ACTIONS, type AuditAction } from './audit.js';

type Actions = typeof ACTIONS;

/** An action with an event in an organization. */
export type EventAction = {
  [Action in AuditAction]: Actions[Action] extends { type: string } ? Action : never;
}[AuditAction];
export type EventType = Actions[EventAction]['type'];

const isEvent = (action: AuditAction): action is EventAction => 'type' in ACTIONS[action];

export const EVENT_ACTIONS = (Object.keys(ACTIONS) as AuditAction[]).filter(isEvent);

/** The published types by their names in GraphQL, which are those of the actions. */
export const EVENT_TYPES = Object.freeze(
  Object.fromEntries(EVENT_ACTIONS.map((action) => [action, ACTIONS[action].type])),
) as { readonly [Action in EventAction]: Actions[Action]['type'] };

export const EVENT_DESCRIPTIONS = Object.fromEntries(
  EVENT_ACTIONS.map((action) => [action, ACTIONS[action].text]),
) as Readonly<Record<EventAction, string>>;
