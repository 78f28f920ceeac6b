import type { DocumentNode } from 'graphql';
import type { ErrorCode } from '../errors.js';
import { NOTIFICATION_TYPES } from '../vocabulary/notification-types.js';
import { ROLES } from '../vocabulary/roles.js';
import * as documents from './documents.js';
import { choice, flag, limit, offset, pathId, pathText, queryId, sort, text, type Parameter } from './parameters.js';

export type Tag = 'Organizations' | 'Documents' | 'Incidents' | 'Edge protection' | 'Threat blocker' | 'Workflows' | 'Notifications' | 'Files' | 'Interface';
export type Carrier = 'sofa' | 'create-organization' | 'document-versions' | 'incident-attachments' | 'downloads' | 'openapi';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** In the specification's spelling. */
  readonly path: string;
  /** Its name in clients that are generated from the interface description. */
  readonly operationId: string;
  /** Section of the specification; 'decisions' for what the specification lacks. */
  readonly section: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Who answers: SOFA, or one of the *.route.ts files. */
  readonly carrier: Carrier;
  /** The operation behind it. */
  readonly document?: DocumentNode;
  readonly parameters: readonly Parameter[];
  /** What may go wrong besides what can go wrong everywhere (see openapi/responses.ts). */
  readonly errors: readonly ErrorCode[];
  /** Needs no token. */
  readonly open?: true;
}

export type OperationRoute = Route & { readonly document: DocumentNode };
