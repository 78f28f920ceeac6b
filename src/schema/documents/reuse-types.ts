import { Extensions, Field, ID, ObjectType } from 'type-graphql';
import type { ControlStatus } from '../../values/enums.js';
import { connectionOf } from '../shared/connection.js';
import type { Plain } from '../shared/plain.js';
import { ControlStatusEnum } from '../workflows/types.js';
import { DocumentVersion } from './types.js';

/** Some controls are mapped to many more; most to fewer. */
const DOCUMENTS_AS_A_RULE = 6;

@ObjectType({ description: 'An open control of a workflow, with the documents of other workflows that cover it.' })
export class ReuseSuggestion {
  @Field(() => ID, { description: 'Number of the control in its source, such as `A.5.1`.' })
  controlId!: string;

  @Field(() => String, { description: 'Label of the control.' })
  label!: string;

  @Field(() => ControlStatusEnum, { description: 'How far the organization is: not begun, or under way.' })
  status!: ControlStatus;

  @Extensions({ items: DOCUMENTS_AS_A_RULE })
  @Field(() => [ReusableDocument], {
    description: 'The newest version of each control of other workflows that is mapped to it.',
  })
  documents!: Plain<ReusableDocument>[];
}

@ObjectType({ description: 'A document that covers a control of another workflow.' })
export class ReusableDocument {
  @Field(() => ID, {
    nullable: true,
    description:
      '`controlId` of the heading that the mapping names where one of the two controls inherits it; null where it names both.',
  })
  via!: string | null;

  @Field(() => DocumentVersion, { description: 'The document, with the workflow and the control it was uploaded to.' })
  version!: Plain<DocumentVersion>;
}

export const { Connection: ReuseSuggestionConnection } = connectionOf('ReuseSuggestion', () => ReuseSuggestion);
