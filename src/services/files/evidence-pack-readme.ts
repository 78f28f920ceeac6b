import type { EvidenceDocument, MappedDocument, PackSource } from './evidence-snapshot.js';

/** What explains the archive to a person who has nothing else. */
export function readme(
  source: PackSource,
  documents: readonly EvidenceDocument[],
  mapped: readonly MappedDocument[],
): string {
  const { organizationId, workflowId, snapshot, period, preparedFor } = source;
  const bytes = documents.reduce((sum, { size }) => sum + size, 0);
  return `EVIDENCE PACK

Organization:  ${oneLine(snapshot.organization)} (id ${organizationId})
Workflow:      ${oneLine(snapshot.workflow.name)} (${workflowId})
As of:         ${snapshot.asOf.toISOString()} (UTC)
Period:        ${periodText(period)}
Prepared for:  ${oneLine(preparedFor)}
Documents:     ${documents.length} (${bytes} bytes)
Mapped:        ${mapped.length}

What is in it

  documents/<control>/<id>-<name>  Every version of the evidence that is kept, under
                                   the control it belongs to. A higher id is a later
                                   version. Characters that some systems do not allow
                                   in names are replaced; documents.csv has the names
                                   as they were uploaded.
  mapped/<workflow>/<control>/<id>-<name>  Every version of the evidence that was uploaded to
                                   a control of another workflow and counts here,
                                   because a mapping says that both controls cover the
                                   same subject. A content that is already above is
                                   not repeated.
  statement-of-applicability.csv   Every control that is not a heading: whether it applies
                                   and why or why not, how far it is, who is responsible for it,
                                   how many documents of any time show it, and whether those
                                   are still valid (ISO/IEC 27001, 6.1.3 d).
  controls.csv                     Every control with its status, the justification
                                   of those that do not apply, owner, due date, number
                                   of documents, and number of mapped documents.
  documents.csv                    Every document: who uploaded it when, when it was
                                   true and until when, its SHA-256.
  mapped.csv                       Which mapped document counts for which control: where
                                   it was uploaded to, and via which heading, where the
                                   mapping names the heading of one of the two.
  audit-trail.ndjson               What was done to the workflow, its controls, their
                                   documents and the mapped ones, by whom and when, up to this download:
                                   the entries of the organization's audit trail, and a
                                   signed checkpoint of the last one. Persons are named
                                   by their ids; names and addresses are encrypted.
  status-history.csv               Each change of the status of a control. The user name is
                                   there when the recipient may read the audit trail.
  incidents.csv                    The organization's incidents, of any workflow.
  incident-reports.csv             The reports to authorities that each incident requires, and
                                   those that were sent: due when, sent when, late or not.
  incident-notes.csv               The notes on incidents.
  manifest.json                    What this archive is, and path, size and SHA-256 of every
                                   file but the manifests.
  manifest.json.sig                Ed25519 signature of manifest.json: 64 bytes.
  manifest.sha256                  SHA-256 of every other file in this archive.

A period leaves out documents that were neither uploaded in it nor true in it, incidents that
were closed before it or became known after it, and entries, changes of status and notes of
other times. Statuses and reports are as they are now.

The controls and documents are as they were at one and the same moment. Times are in UTC. The tables are
comma-separated (RFC 4180) in UTF-8; an apostrophe before =, +, - or @ was added
so that no spreadsheet takes a text for a formula.

How to verify it

Unpack the archive and run, where README.txt lies:

  sha256sum -c manifest.sha256      (Linux)
  shasum -a 256 -c manifest.sha256  (macOS)

Every line has to end in OK. A file that was changed, cut off or exchanged does not.
That the sums are those of the gateway is seen with the key that the gateway publishes
at /.well-known/audit-keys.json, and with a script of its source code (scripts/):

  node verify-audit-trail.mjs --archive FOLDER --key audit-keys.json

It names each file that is not as it was sent.

The entries are a part of the trail. Whether each stands in it as it is here is seen with
a whole export (GET /api/v1/organizations/${organizationId}/audit-trail.ndjson, for security officers):

  node verify-audit-trail.mjs EXPORT.ndjson --key audit-keys.json --part audit-trail.ndjson

It verifies the export, that it has each entry of the part, and the signature of the
checkpoint: a trail that was written anew after this download does not match it.
`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function periodText({ from, to }: PackSource['period']): string {
  if (from == null && to == null) return 'everything';
  return `${from?.toISOString() ?? 'the beginning'} (inclusive) to ${to?.toISOString() ?? 'now'} (exclusive)`;
}
