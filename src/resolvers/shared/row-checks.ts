import type { GraphQLInputObjectType, GraphQLSchema } from 'graphql';
import { composerOf } from '../../common/composed-text.js';
import { InputValidator } from '../../common/input-validator.js';
import type { RowChecks } from '../../services/imports/import-worker.js';
import type { RowCheck } from '../../services/shared/import-rows.js';

/** How rows of tables and archives are checked: as the inputs of the single changes are. */
export function rowChecks(schema: GraphQLSchema): RowChecks {
  const upload = inputCheck(schema, 'UploadDocumentVersionInput', ['organizationId', 'workflowId']);
  const update = inputCheck(schema, 'UpdateDocumentVersionInput', ['organizationId', 'documentVersionId']);
  return {
    MEMBERS: inputCheck(schema, 'UpdateMemberInput', ['organizationId', 'userId', 'version']),
    CONTROLS: inputCheck(schema, 'ControlChangeInput'),
    DOCUMENTS({ note, ...sent }) {
      const [uploaded, said] = [upload(sent), update(note === undefined ? {} : { note })];
      return { fields: { ...uploaded.fields, ...said.fields }, errors: [...uploaded.errors, ...said.errors] };
    },
  };
}

const validator = new InputValidator({ spell: (name) => name });

/** Checks fields that come in another way than as arguments by the constraints of an input type, without `omitted` ones. */
function inputCheck(schema: GraphQLSchema, name: string, omitted: readonly string[] = []): RowCheck {
  const type = schema.getType(name) as GraphQLInputObjectType;
  const compose = composerOf(type);
  const without = new Set(omitted);
  return (sent) => {
    const fields = (compose?.(sent) ?? sent) as Record<string, unknown>;
    return { fields, errors: validator.objectErrors(type, fields, without) };
  };
}
