/**
 * @generated SignedSource<<4b85dfd607b5b94189561a59c2888917>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
export type IncidentSeverity = "CRITICAL" | "HIGH" | "LOW" | "MEDIUM" | "%future added value";
export type IncidentStatus = "CLOSED" | "CONTAINED" | "OPEN" | "RESOLVED" | "%future added value";
export type UpdateIncidentInput = {
  awareAt?: any | null | undefined;
  description?: string | null | undefined;
  incidentId: string;
  organizationId: string;
  severity?: IncidentSeverity | null | undefined;
  significant?: boolean | null | undefined;
  status?: IncidentStatus | null | undefined;
  title?: string | null | undefined;
};
export type programRenameMutation$variables = {
  input: UpdateIncidentInput;
};
export type programRenameMutation$data = {
  readonly updateIncident: {
    readonly incident: {
      readonly id: string;
      readonly title: string;
    };
  } | null | undefined;
};
export type programRenameMutation = {
  response: programRenameMutation$data;
  variables: programRenameMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "UpdateIncidentPayload",
    "kind": "LinkedField",
    "name": "updateIncident",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Incident",
        "kind": "LinkedField",
        "name": "incident",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "title",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "programRenameMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "programRenameMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "9290a39222f7a7b1494237d6840d7006",
    "id": null,
    "metadata": {},
    "name": "programRenameMutation",
    "operationKind": "mutation",
    "text": "mutation programRenameMutation(\n  $input: UpdateIncidentInput!\n) {\n  updateIncident(input: $input) {\n    incident {\n      id\n      title\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "57227b2e31e0d75ed97daa88f0cb5dfc";

export default node;
