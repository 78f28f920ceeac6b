import { dayOf } from '../../common/local-time.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Database } from '../../database/database.js';
import { portableName } from '../../storage/file-names.js';
import type { ReadRecorder } from '../audit/read-recorder.js';
import { workflowEvent } from '../audit/subjects.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import { currentAttestations, evidenceByControl, evidenceSnapshot } from './evidence-snapshot.js';
import { oscalDocument, type OscalModel } from './oscal-document.js';

/** A workflow of an organization in OSCAL: its status, and the implementation of its controls. */
export class OscalExportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly deps: { publicUrl: string; readings: ReadRecorder; now: () => Date },
  ) {}

  /** The document. Throws NOT_FOUND and FORBIDDEN. */
  async prepare(caller: Caller, key: OrganizationWorkflowKey, model: OscalModel): Promise<PreparedFile<object>> {
    this.database.past.refuse('FILES');
    const { organizationId, workflowId } = key;
    await this.access.authorize(caller, 'READ_DOCUMENTS', organizationId);
    const { catalogs } = this;
    const { publicUrl, readings, now } = this.deps;
    const snapshot = await evidenceSnapshot({ reads: await this.database.longReads(), catalogs, now }, key);
    const organization = `${publicUrl}/api/v1/v-ciso/organizations/${organizationId}`;
    const address = `${organization}/workflows/${workflowId}`;
    const day = dayOf(snapshot.asOf, snapshot.timeZone);
    const open = async () => {
      const { name } = snapshot.workflow;
      const facts = { action: 'WORKFLOW_EXPORTED', at: now(), changes: { model: { after: model } } } as const;
      await readings.read(caller, workflowEvent({ organizationId, workflowId, name }, facts));
      const evidence = evidenceByControl(snapshot);
      const attestations = currentAttestations(snapshot);
      return oscalDocument(model, {
        address,
        documents: `${organization}/documents`,
        snapshot,
        evidence,
        attestations,
      });
    };
    return { name: `${portableName(`${snapshot.organization} ${workflowId} ${model} ${day}`)}.json`, open };
  }
}
