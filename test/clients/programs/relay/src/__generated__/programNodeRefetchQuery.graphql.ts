/**
 * @generated SignedSource<<869cef511015199544aa8416cdd952d8>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type programNodeRefetchQuery$variables = {
  id: string;
};
export type programNodeRefetchQuery$data = {
  readonly node: {
    readonly " $fragmentSpreads": FragmentRefs<"programNode">;
  } | null | undefined;
};
export type programNodeRefetchQuery = {
  response: programNodeRefetchQuery$data;
  variables: programNodeRefetchQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "id",
    "variableName": "id"
  }
],
v2 = [
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "title",
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "programNodeRefetchQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": null,
        "kind": "LinkedField",
        "name": "node",
        "plural": false,
        "selections": [
          {
            "args": null,
            "kind": "FragmentSpread",
            "name": "programNode"
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "programNodeRefetchQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": null,
        "kind": "LinkedField",
        "name": "node",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "__typename",
            "storageKey": null
          },
          {
            "kind": "TypeDiscriminator",
            "abstractKey": "__isNode"
          },
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
            "selections": (v2/*:: as any*/),
            "type": "Incident",
            "abstractKey": null
          },
          {
            "kind": "InlineFragment",
            "selections": (v2/*:: as any*/),
            "type": "Notification",
            "abstractKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "8fa0a8d5042c6dbbd1307e9ee20f2cbf",
    "id": null,
    "metadata": {},
    "name": "programNodeRefetchQuery",
    "operationKind": "query",
    "text": "query programNodeRefetchQuery(\n  $id: ID!\n) {\n  node(id: $id) {\n    __typename\n    ...programNode\n    id\n  }\n}\n\nfragment programNode on Node {\n  __isNode: __typename\n  __typename\n  ... on Organization {\n    name\n  }\n  ... on CloudDefender {\n    fqdn\n  }\n  ... on DocumentVersion {\n    filename\n  }\n  ... on Incident {\n    title\n  }\n  ... on Notification {\n    title\n  }\n  id\n}\n"
  }
};
})();

(node as any).hash = "e8453a101c5a188573f0f97a9bad017e";

export default node;
