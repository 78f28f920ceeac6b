import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database } from '../../database/database.js';
import { portableName } from '../../storage/file-names.js';
import { recordWorkflow } from '../audit/subjects.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import { evidenceByControl, evidenceSnapshot } from './evidence-snapshot.js';
import { oscalDocument, type OscalModel } from './oscal-documents.js';

/** A workflow of an organization in OSCAL: how it stands, and what is done to meet its controls. */
export class OscalExportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly publicUrl: string,
    private readonly now: () => Date,
  ) {}

  /** The document. Throws NOT_FOUND and FORBIDDEN. */
  async prepare(caller: Caller, key: OrganizationWorkflowKey, model: OscalModel): Promise<PreparedFile<object>> {
    const { organizationId, workflowId } = key;
    await this.access.authorize(caller, 'READ_DOCUMENTS', organizationId);
    const { catalogs, now } = this;
    const snapshot = await evidenceSnapshot({ reads: await this.database.longReads(), catalogs, now }, key);
    const organization = `${this.publicUrl}/api/v1/v-ciso/organizations/${organizationId}`;
    const address = `${organization}/workflows/${workflowId}`;
    const day = snapshot.asOf.toISOString().slice(0, 10);
    const open = async () => {
      const { name } = snapshot.workflow;
      const facts = { action: 'WORKFLOW_EXPORTED', at: now(), changes: { model: { after: model } } } as const;
      await recordWorkflow(this.database, caller, { organizationId, workflowId, name }, facts);
      const evidence = evidenceByControl(snapshot);
      return oscalDocument(model, { address, documents: `${organization}/documents`, snapshot, evidence });
    };
    return { name: `${portableName(`${snapshot.organization} ${workflowId} ${model} ${day}`)}.json`, open };
  }
}
