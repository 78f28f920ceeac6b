/**
 * @generated SignedSource<<84966714fa24a21e659bbed17728dcca>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type programQuery$variables = {
  organizationId: string;
};
export type programQuery$data = {
  readonly latestNotifications: {
    readonly nodes: ReadonlyArray<{
      readonly " $fragmentSpreads": FragmentRefs<"programNode">;
    }>;
  } | null | undefined;
  readonly organization: {
    readonly cloudDefenders: {
      readonly nodes: ReadonlyArray<{
        readonly " $fragmentSpreads": FragmentRefs<"programNode">;
      }>;
    } | null | undefined;
    readonly documentVersions: {
      readonly nodes: ReadonlyArray<{
        readonly " $fragmentSpreads": FragmentRefs<"programNode">;
      }>;
    };
    readonly latestIncidents: {
      readonly nodes: ReadonlyArray<{
        readonly " $fragmentSpreads": FragmentRefs<"programNode">;
      }>;
    };
    readonly " $fragmentSpreads": FragmentRefs<"programIncidents" | "programNode">;
  } | null | undefined;
  readonly " $fragmentSpreads": FragmentRefs<"programNotifications">;
};
export type programQuery = {
  response: programQuery$data;
  variables: programQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "organizationId"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "id",
    "variableName": "organizationId"
  }
],
v2 = {
  "args": null,
  "kind": "FragmentSpread",
  "name": "programNode"
},
v3 = [
  {
    "kind": "Literal",
    "name": "first",
    "value": 1
  }
],
v4 = [
  (v2/*:: as any*/)
],
v5 = [
  {
    "kind": "Literal",
    "name": "first",
    "value": 2
  }
],
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "title",
  "storageKey": null
},
v8 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "__typename",
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "cursor",
  "storageKey": null
},
v10 = {
  "alias": null,
  "args": null,
  "concreteType": "PageInfo",
  "kind": "LinkedField",
  "name": "pageInfo",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "endCursor",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "hasNextPage",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v11 = [
  (v7/*:: as any*/)
],
v12 = {
  "kind": "InlineFragment",
  "selections": [
    (v8/*:: as any*/),
    {
      "kind": "InlineFragment",
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "name",
          "storageKey": null
        }
      ],
      "type": "Organization",
      "abstractKey": null
    },
    {
      "kind": "InlineFragment",
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "fqdn",
          "storageKey": null
        }
      ],
      "type": "CloudDefender",
      "abstractKey": null
    },
    {
      "kind": "InlineFragment",
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "filename",
          "storageKey": null
        }
      ],
      "type": "DocumentVersion",
      "abstractKey": null
    },
    {
      "kind": "InlineFragment",
      "selections": (v11/*:: as any*/),
      "type": "Incident",
      "abstractKey": null
    },
    {
      "kind": "InlineFragment",
      "selections": (v11/*:: as any*/),
      "type": "Notification",
      "abstractKey": null
    }
  ],
  "type": "Node",
  "abstractKey": "__isNode"
},
v13 = [
  (v6/*:: as any*/),
  (v12/*:: as any*/)
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "programQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Organization",
        "kind": "LinkedField",
        "name": "organization",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "args": null,
            "kind": "FragmentSpread",
            "name": "programIncidents"
          },
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "concreteType": "CloudDefenderConnection",
            "kind": "LinkedField",
            "name": "cloudDefenders",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "CloudDefender",
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": (v4/*:: as any*/),
                "storageKey": null
              }
            ],
            "storageKey": "cloudDefenders(first:1)"
          },
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "concreteType": "DocumentVersionConnection",
            "kind": "LinkedField",
            "name": "documentVersions",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "DocumentVersion",
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": (v4/*:: as any*/),
                "storageKey": null
              }
            ],
            "storageKey": "documentVersions(first:1)"
          },
          {
            "alias": "latestIncidents",
            "args": (v3/*:: as any*/),
            "concreteType": "IncidentConnection",
            "kind": "LinkedField",
            "name": "incidents",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "Incident",
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": (v4/*:: as any*/),
                "storageKey": null
              }
            ],
            "storageKey": "incidents(first:1)"
          }
        ],
        "storageKey": null
      },
      {
        "alias": "latestNotifications",
        "args": (v3/*:: as any*/),
        "concreteType": "NotificationConnection",
        "kind": "LinkedField",
        "name": "notifications",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "Notification",
            "kind": "LinkedField",
            "name": "nodes",
            "plural": true,
            "selections": (v4/*:: as any*/),
            "storageKey": null
          }
        ],
        "storageKey": "notifications(first:1)"
      },
      {
        "args": null,
        "kind": "FragmentSpread",
        "name": "programNotifications"
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "programQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Organization",
        "kind": "LinkedField",
        "name": "organization",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": (v5/*:: as any*/),
            "concreteType": "IncidentConnection",
            "kind": "LinkedField",
            "name": "incidents",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "IncidentEdge",
                "kind": "LinkedField",
                "name": "edges",
                "plural": true,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "Incident",
                    "kind": "LinkedField",
                    "name": "node",
                    "plural": false,
                    "selections": [
                      (v6/*:: as any*/),
                      (v7/*:: as any*/),
                      (v8/*:: as any*/)
                    ],
                    "storageKey": null
                  },
                  (v9/*:: as any*/)
                ],
                "storageKey": null
              },
              (v10/*:: as any*/)
            ],
            "storageKey": "incidents(first:2)"
          },
          {
            "alias": null,
            "args": (v5/*:: as any*/),
            "filters": null,
            "handle": "connection",
            "key": "programIncidents_incidents",
            "kind": "LinkedHandle",
            "name": "incidents"
          },
          (v6/*:: as any*/),
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "concreteType": "CloudDefenderConnection",
            "kind": "LinkedField",
            "name": "cloudDefenders",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "CloudDefender",
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": (v13/*:: as any*/),
                "storageKey": null
              }
            ],
            "storageKey": "cloudDefenders(first:1)"
          },
          {
            "alias": null,
            "args": (v3/*:: as any*/),
            "concreteType": "DocumentVersionConnection",
            "kind": "LinkedField",
            "name": "documentVersions",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "DocumentVersion",
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": (v13/*:: as any*/),
                "storageKey": null
              }
            ],
            "storageKey": "documentVersions(first:1)"
          },
          {
            "alias": "latestIncidents",
            "args": (v3/*:: as any*/),
            "concreteType": "IncidentConnection",
            "kind": "LinkedField",
            "name": "incidents",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "Incident",
                "kind": "LinkedField",
                "name": "nodes",
                "plural": true,
                "selections": (v13/*:: as any*/),
                "storageKey": null
              }
            ],
            "storageKey": "incidents(first:1)"
          },
          (v12/*:: as any*/)
        ],
        "storageKey": null
      },
      {
        "alias": "latestNotifications",
        "args": (v3/*:: as any*/),
        "concreteType": "NotificationConnection",
        "kind": "LinkedField",
        "name": "notifications",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "Notification",
            "kind": "LinkedField",
            "name": "nodes",
            "plural": true,
            "selections": (v13/*:: as any*/),
            "storageKey": null
          }
        ],
        "storageKey": "notifications(first:1)"
      },
      {
        "alias": null,
        "args": (v5/*:: as any*/),
        "concreteType": "NotificationConnection",
        "kind": "LinkedField",
        "name": "notifications",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "NotificationEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "Notification",
                "kind": "LinkedField",
                "name": "node",
                "plural": false,
                "selections": [
                  (v7/*:: as any*/),
                  (v6/*:: as any*/),
                  (v8/*:: as any*/)
                ],
                "storageKey": null
              },
              (v9/*:: as any*/)
            ],
            "storageKey": null
          },
          (v10/*:: as any*/)
        ],
        "storageKey": "notifications(first:2)"
      },
      {
        "alias": null,
        "args": (v5/*:: as any*/),
        "filters": null,
        "handle": "connection",
        "key": "programNotifications_notifications",
        "kind": "LinkedHandle",
        "name": "notifications"
      }
    ]
  },
  "params": {
    "cacheID": "a8f2901bb4c283df7b68f6b9c079b8d2",
    "id": null,
    "metadata": {},
    "name": "programQuery",
    "operationKind": "query",
    "text": "query programQuery(\n  $organizationId: ID!\n) {\n  organization(id: $organizationId) {\n    ...programNode\n    ...programIncidents\n    cloudDefenders(first: 1) {\n      nodes {\n        ...programNode\n        id\n      }\n    }\n    documentVersions(first: 1) {\n      nodes {\n        ...programNode\n        id\n      }\n    }\n    latestIncidents: incidents(first: 1) {\n      nodes {\n        ...programNode\n        id\n      }\n    }\n    id\n  }\n  latestNotifications: notifications(first: 1) {\n    nodes {\n      ...programNode\n      id\n    }\n  }\n  ...programNotifications\n}\n\nfragment programIncidents on Organization {\n  incidents(first: 2) {\n    edges {\n      node {\n        id\n        title\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n  id\n}\n\nfragment programNode on Node {\n  __isNode: __typename\n  __typename\n  ... on Organization {\n    name\n  }\n  ... on CloudDefender {\n    fqdn\n  }\n  ... on DocumentVersion {\n    filename\n  }\n  ... on Incident {\n    title\n  }\n  ... on Notification {\n    title\n  }\n  id\n}\n\nfragment programNotifications on Query {\n  notifications(first: 2) {\n    edges {\n      node {\n        title\n        id\n        __typename\n      }\n      cursor\n    }\n    pageInfo {\n      endCursor\n      hasNextPage\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "3cf96fe629b271ffebf9fc7f58373545";

export default node;
