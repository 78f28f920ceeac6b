// Made of openapi.json by "npm run print:contracts".

export interface paths {
    "/api/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description The organizations that the caller belongs to. With `deleted=true`, those that it may restore.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create organization
         * @description Creates an organization; the caller becomes its owner.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get organization
         * @description An organization of the caller. Every member may read it; `ETag` names its state.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete organization
         * @description Deletes an organization softly: it looks absent, and an owner may restore it for 30 days. Requires ORGANIZATION_OWNER. After 30 days it goes for good.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        /**
         * Update organization
         * @description Changes the profile of an organization. Requires ORGANIZATION_MANAGER. An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/api/v1/organizations/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore organization
         * @description Brings back an organization that was deleted in the last 30 days. Requires ORGANIZATION_OWNER; to others it looks absent. One that is not deleted stays as it is.
         */
        post: operations["restoreOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer ownership
         * @description Makes another member the owner; the caller becomes ORGANIZATION_MANAGER. Requires ORGANIZATION_OWNER.
         */
        post: operations["transferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave organization
         * @description Takes the caller out of an organization. The last owner cannot leave: 409.
         */
        post: operations["leaveOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set organization logo
         * @description Stores a logo and serves it at an address of the gateway. Requires ORGANIZATION_MANAGER. Its URL becomes `logo`.
         */
        put: operations["setOrganizationLogo"];
        post?: never;
        /**
         * Remove organization logo
         * @description Removes the logo of an organization. Requires ORGANIZATION_MANAGER. `logo` becomes empty, wherever it was stored.
         */
        delete: operations["removeOrganizationLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get organization settings
         * @description Time zone, weekday of the report, and its rule for tokens. Every member may read them.
         */
        get: operations["getOrganizationSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update organization settings
         * @description Changes the settings of an organization. Requires ORGANIZATION_MANAGER. An absent setting stays as it is, null is what it was at first. `audit_retention_days` takes an owner.
         */
        patch: operations["updateOrganizationSettings"];
        trace?: never;
    };
    "/api/v1/organizations/{id}/privileges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get organization privileges
         * @description The role of the caller, and what it may do with the token of this request.
         */
        get: operations["getOrganizationPrivileges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organization users
         * @description Members with their roles and alert preferences. Requires SECURITY_OFFICER.
         */
        get: operations["listOrganizationUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/users/{userid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get organization user
         * @description A member of an organization. Requires SECURITY_OFFICER, except for the caller’s own membership.
         */
        get: operations["getOrganizationUser"];
        put?: never;
        post?: never;
        /**
         * Remove organization user
         * @description Removes a member; within a second it has no access any more. Rules as for `updateOrganizationUser`.
         */
        delete: operations["removeOrganizationUser"];
        options?: never;
        head?: never;
        /**
         * Update organization user
         * @description Changes the role of a member, or whether it is active. ORGANIZATION_MANAGER manages the roles below its own, ORGANIZATION_OWNER all roles. 409 when no owner would be left. What is absent stays as it is.
         */
        patch: operations["updateOrganizationUser"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Invitations to the organization, newest first. Requires ORGANIZATION_MANAGER.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite member
         * @description Invites a person by mail, for seven days. 409 when the person is a member already or the address has an open invitation. The secret in the mail can be used once. Rank 4 invites below rank 4, rank 5 to any role.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get invitation
         * @description An invitation of an organization. Requires ORGANIZATION_MANAGER. Its secret is in the mail and nowhere else.
         */
        get: operations["getInvitation"];
        put?: never;
        post?: never;
        /**
         * Cancel invitation
         * @description Cancels an invitation. 409 when it was accepted: then the member is to be removed. From now on its secret opens nothing.
         */
        delete: operations["cancelInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend invitation
         * @description Sends an invitation once more, with a new secret and for seven more days: five mails in all. 409 when it was accepted, cancelled, or had its mails. Secrets of earlier mails open nothing any more.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview invitation
         * @description What an invitation offers, by its secret. Needs no token and changes nothing. 404 for every secret that `acceptInvitation` does not find. The secret is in the body, so that it is in no address.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept invitation
         * @description Exchanges the secret of an invitation for a membership, and for a user and a first token where the address has none. Needs no token; with one, the caller accepts for itself. 404 whatever is wrong with the secret; 409 for who is a member already. A caller with a token accepts only what its own address was invited to.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get profile
         * @description The user that the token belongs to.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        /**
         * Erase profile
         * @description Erases the caller: revokes its tokens, ends its memberships, and replaces its name and address by a pseudonym wherever they stand. A conflict for the last owner of an organization. It cannot be undone.
         */
        delete: operations["eraseProfile"];
        options?: never;
        head?: never;
        /**
         * Update profile
         * @description Changes what the caller is called. What is absent stays as it is.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/api/v1/profile/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export profile
         * @description One JSON document: profile, memberships, tokens without their secrets, notifications, invitations, what was uploaded and done, and the own audit trail. The export itself is recorded. It is open to a token, and to an address that `exportMe` has signed.
         */
        get: operations["exportProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get alerts
         * @description Which alerts the caller wants from the organization. The preferences are by product.
         */
        get: operations["getAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update alerts
         * @description Changes which alerts the caller wants from an organization. What is absent stays as it is.
         */
        patch: operations["updateAlerts"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/mail-preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get mail preferences
         * @description Which of its notifications the caller gets by mail. The preferences are by category of notifications.
         */
        get: operations["getMailPreferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update mail preferences
         * @description Changes which notifications of an organization the caller gets by mail. What is absent stays as it is.
         */
        patch: operations["updateMailPreferences"];
        trace?: never;
    };
    "/api/v1/profile/audit-trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own audit trail
         * @description What the caller did with its profile and tokens, and what the gateway did with them, newest first unless ordered otherwise. No one else can read it.
         */
        get: operations["listOwnAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/profile/audit-trail/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify own audit trail
         * @description Whether the audit trail of the caller is as it was written: reads all of it, and says up to which entry it is.
         */
        get: operations["verifyOwnAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description The tokens of the caller, newest first, revoked ones as well.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create token
         * @description Makes a token for the caller. The secret is in this answer and never again. It may do no more than the token that makes it; a caller who manages devices may also make one that reports their checks and does nothing else. A conflict for a user with 500 tokens.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get token
         * @description A token of the caller. The token itself is stored nowhere.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revoke token
         * @description Ends a token of the caller; within a second no instance takes it any more. Revoking it again changes nothing.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate token
         * @description Puts a new token of the same name, scopes and rules in the place of one of the caller, which goes on for a grace period. 409 when that one has ended or was replaced already. The grace period is 24 hours unless asked otherwise.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get current token
         * @description Who is calling: user, token and organizations. Of the organizations, the first 100 by name, each with what this token may do there.
         */
        get: operations["getCurrentToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request token recovery
         * @description Mails a one-time link for a new token to the verified e-mail address of a user. Needs no token. The answer is the same whether the address is known or not; 429 after many requests of one caller. The link can be used within 30 minutes. One address gets three mails in an hour, and one caller may make ten requests in an hour.
         */
        post: operations["requestTokenRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recovery/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover token
         * @description Exchanges the secret of a recovery link for one new token, and notifies the owners of the user’s organizations. Needs no token. 404 when the secret is unknown, used or expired. The new token has the scopes `READ` and `WRITE`.
         */
        post: operations["recoverToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organization tokens
         * @description Active tokens of members, newest first: what may act in the organization. Requires ORGANIZATION_OWNER.
         */
        get: operations["listOrganizationTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Block organization token
         * @description Blocks a token of a member in one organization, and in no other; within a second no instance lets it act there. Tokens that it makes are blocked there as well. Only owners may.
         */
        delete: operations["blockOrganizationToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/branding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get branding
         * @description Palette and colours. Default values are returned when no branding is configured.
         */
        get: operations["getBranding"];
        /**
         * Update branding
         * @description Changes how an organization looks. Requires ORGANIZATION_MANAGER. An absent field stays as it is, null is the default. Hover and dark shade are derived from the primary colour where they are absent. White text must have a contrast of at least 4.5 to each colour.
         */
        put: operations["updateBranding"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/audit-trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit trail
         * @description Who did what, newest first unless ordered otherwise. Requires SECURITY_OFFICER. Entries are never changed, and each has a hash of all before it.
         */
        get: operations["listAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/audit-trail/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create audit checkpoint
         * @description Signs the newest entry of an audit trail. Kept elsewhere, the checkpoint shows later whether anything before it was changed. Requires SECURITY_OFFICER. The signature can be verified with `/.well-known/audit-keys.json`.
         */
        post: operations["createAuditCheckpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/audit-trail/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify audit trail
         * @description Whether the audit trail is as it was written: reads all of it. Requires SECURITY_OFFICER. The answer says from which entry on, and up to which, it is.
         */
        get: operations["verifyAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/audit-trail.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export audit trail
         * @description Each entry as it is stored, one JSON object on each line, each checkpoint after the entry that it was signed for, and a signed checkpoint as the last line; the first says what was removed after its retention, if anything was. What is about a person is encrypted. The export itself is recorded. Answered with 409, and the fault in `Audit-Trail-Fault`, while the trail is not as it was written. Takes at least a Security Officer.
         */
        get: operations["exportAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{id}/audit-trail.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export audit trail table
         * @description One row for each entry, oldest first, with the names of persons who were not erased. It begins with a byte order mark, unless `bom` is `0`. The export itself is recorded. Takes at least a Security Officer.
         */
        get: operations["exportAuditTrailTable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/identity-providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List identity providers
         * @description The identity providers that it has connected, oldest first. Requires ORGANIZATION_MANAGER.
         */
        get: operations["listIdentityProviders"];
        put?: never;
        /**
         * Create identity provider
         * @description Connects an OpenID Connect provider, through which members sign in. Requires ORGANIZATION_OWNER, because a provider decides who signs in as whom. 409 for a name that is taken.
         */
        post: operations["createIdentityProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/identity-providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get identity provider
         * @description An identity provider of an organization. Requires ORGANIZATION_MANAGER.
         */
        get: operations["getIdentityProvider"];
        put?: never;
        post?: never;
        /**
         * Delete identity provider
         * @description Disconnects an identity provider, and ends the tokens that it has given. Requires ORGANIZATION_OWNER.
         */
        delete: operations["deleteIdentityProvider"];
        options?: never;
        head?: never;
        /**
         * Update identity provider
         * @description Changes an identity provider. Another issuer or client ends the tokens that it has given. Requires ORGANIZATION_OWNER.
         */
        patch: operations["updateIdentityProvider"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/identity-providers/{id}/verify-domain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify identity domain
         * @description Looks for the TXT record that proves a domain. 409 when it is not there yet, or another organization has proven the domain. Requires ORGANIZATION_OWNER.
         */
        post: operations["verifyIdentityDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/token/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange sign in code
         * @description Exchanges the code that an application got at the end of a sign-in for a token, once and within 60 seconds. Needs no token. 404 when the code is unknown, used, expired, or not that of this verifier and redirect address.
         */
        post: operations["exchangeSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/scim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get scim settings
         * @description What a directory may do in an organization by SCIM. Requires ORGANIZATION_MANAGER.
         */
        get: operations["getScimSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update scim settings
         * @description Changes what a directory may do in an organization by SCIM. Requires ORGANIZATION_MANAGER; what concerns the role ORGANIZATION_MANAGER, and linking members, ORGANIZATION_OWNER. Members whose groups have another role now get it.
         */
        patch: operations["updateScimSettings"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/scim/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scim tokens
         * @description Tokens of its directory, newest first, ended ones as well. Requires ORGANIZATION_MANAGER.
         */
        get: operations["listScimTokens"];
        put?: never;
        /**
         * Create scim token
         * @description Makes a token for a directory. The secret is in this answer and never again. 409 for a third valid one. Requires ORGANIZATION_MANAGER, or ORGANIZATION_OWNER where the directory gives the role ORGANIZATION_MANAGER.
         */
        post: operations["createScimToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/scim/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get scim token
         * @description A token of the directory of an organization. Requires ORGANIZATION_MANAGER.
         */
        get: operations["getScimToken"];
        put?: never;
        post?: never;
        /**
         * Revoke scim token
         * @description Revokes a token of a directory, at once. Requires ORGANIZATION_MANAGER. Revoking it again changes nothing.
         */
        delete: operations["revokeScimToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List service accounts
         * @description Service accounts by name: callers that belong to the organization and are no members. Requires ORGANIZATION_MANAGER.
         */
        get: operations["listServiceAccounts"];
        put?: never;
        /**
         * Create service account
         * @description Creates a service account, without a token. An organization has 50 at most: 409 beyond. ORGANIZATION_MANAGER creates those below its own role, ORGANIZATION_OWNER up to rank 4.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get service account
         * @description A service account of an organization. Requires ORGANIZATION_MANAGER.
         */
        get: operations["getServiceAccount"];
        put?: never;
        post?: never;
        /**
         * Delete service account
         * @description Deletes a service account and revokes its tokens; within a second no instance takes them any more. What it did keeps its user name.
         */
        delete: operations["deleteServiceAccount"];
        options?: never;
        head?: never;
        /**
         * Update service account
         * @description Changes a service account: its name, what it is for, its role, and who answers for it. What is absent stays as it is.
         */
        patch: operations["updateServiceAccount"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List service account tokens
         * @description Its tokens, newest first, revoked ones as well.
         */
        get: operations["listServiceAccountTokens"];
        put?: never;
        /**
         * Create service account token
         * @description Makes a token for a service account. The secret is in this answer and never again. 409 for one with 500 tokens. It may do no more than the token that makes it.
         */
        post: operations["createServiceAccountToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get service account token
         * @description A token of a service account. Requires ORGANIZATION_MANAGER. The token itself is stored nowhere.
         */
        get: operations["getServiceAccountToken"];
        put?: never;
        post?: never;
        /**
         * Revoke service account token
         * @description Revokes a token of a service account; within a second no instance takes it any more. Revoking it again changes nothing.
         */
        delete: operations["revokeServiceAccountToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/service-accounts/{serviceaccountid}/tokens/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate service account token
         * @description Puts a new token of the same name, scopes and addresses in the place of one of a service account, which goes on for a grace period. 409 when that one has ended or was replaced already. The grace period is 24 hours unless asked otherwise.
         */
        post: operations["rotateServiceAccountToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/engagements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own engagements
         * @description The engagements that the caller is an auditor of and that have not ended, newest first.
         */
        get: operations["listOwnEngagements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engagements
         * @description Engagements of auditors, newest first. Requires SECURITY_ANALYST.
         */
        get: operations["listEngagements"];
        put?: never;
        /**
         * Create engagement
         * @description Creates an engagement; auditors are invited to it by `inviteAuditor`. 409 when 20 have not ended.
         */
        post: operations["createEngagement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get engagement
         * @description An engagement, for its auditors until it ends, and for members. Requires SECURITY_ANALYST of members.
         */
        get: operations["getEngagement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update engagement
         * @description Renames an engagement, or changes when it ends. What is absent stays as it is. The scope never changes.
         */
        patch: operations["updateEngagement"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite auditor
         * @description Invites a person by mail to an engagement, for seven days; by accepting, the person becomes an auditor and no member. 409 for members, for its auditors, and when the address has an open invitation. The invitation is listed, resent and cancelled like those of members.
         */
        post: operations["inviteAuditor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/auditors/{userid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove auditor
         * @description Removes an auditor from an engagement, at once.
         */
        delete: operations["removeAuditor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/controls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engagement controls
         * @description Controls of its workflows as they are now.
         */
        get: operations["listEngagementControls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engagement documents
         * @description Document versions of its workflows that were true, or else uploaded, in its period, newest first.
         */
        get: operations["listEngagementDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engagement incidents
         * @description Incidents of which the organization became aware in its period, newest first.
         */
        get: operations["listEngagementIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/audit-trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List engagement entries
         * @description Entries of its period about its workflows, these incidents and itself, newest first. Requires SECURITY_OFFICER of members.
         */
        get: operations["listEngagementEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List evidence requests
         * @description What its auditors asked for, newest first.
         */
        get: operations["listEvidenceRequests"];
        put?: never;
        /**
         * Request evidence
         * @description Asks for evidence of a control; those who manage engagements are notified. For auditors only.
         */
        post: operations["requestEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get evidence request
         * @description A request of an auditor, for the auditors of its engagement until that ends, and for members. Requires SECURITY_ANALYST of members.
         */
        get: operations["getEvidenceRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Answer evidence request
         * @description Answers or closes a request of an auditor. 409 for one that is closed. What is absent stays as it is. A request that was closed cannot be opened again.
         */
        patch: operations["answerEvidenceRequest"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/engagements/{engagementid}/sign-offs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sign offs
         * @description What its auditors stated, newest first.
         */
        get: operations["listSignOffs"];
        put?: never;
        /**
         * Sign off
         * @description Signs a workflow or a control off. For auditors only.
         */
        post: operations["signOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/available-workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List available workflows
         * @description The frameworks and task sets that organizations can take up, with what the organizations of the caller have imported. The `id` of an item is used to associate the workflow with an organization.
         */
        get: operations["listAvailableWorkflows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/available-workflows/{workflowid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read available workflow
         * @description One workflow of the catalogue. What it is, where its controls come from, and under which terms its data is given.
         */
        get: operations["readAvailableWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/available-workflows/{workflowid}/controls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List available controls
         * @description Its controls and tasks in reading order.
         */
        get: operations["listAvailableControls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organization workflows
         * @description The workflows that are associated with it, by id. Each with its progress.
         */
        get: operations["listOrganizationWorkflows"];
        put?: never;
        /**
         * Associate workflow
         * @description Associates a workflow with an organization. One that is associated already stays as it is. Its controls and tasks become available; the status is 200 for one that is associated already.
         */
        post: operations["associateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get organization workflow
         * @description A workflow that is associated with an organization.
         */
        get: operations["getOrganizationWorkflow"];
        put?: never;
        post?: never;
        /**
         * Dissociate workflow
         * @description Dissociates a workflow from an organization. Documents and the states of controls stay, and are there again when it is associated again.
         */
        delete: operations["dissociateWorkflow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get workflow progress
         * @description How far it was on each day on which that changed, oldest first, beginning with how it stood on the first day. Days are those of the time zone of the organization: the last 90 when nothing is said, 366 at most.
         */
        get: operations["getWorkflowProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List controls
         * @description Its controls and tasks in reading order, as far as they bind the organization. Of the Italian NIS 2 baseline, those that bind its `entity_type`; all when it has not said which it is.
         */
        get: operations["listControls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update controls
         * @description Changes many controls of a workflow at once: all of them, or none when one change is refused. Either `control_ids` with one set of `changes`, or `updates`; 200 controls at most. All errors are reported at once.
         */
        patch: operations["updateControls"];
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/controls/{controlid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get control
         * @description One control of a workflow of an organization.
         */
        get: operations["getControl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update control
         * @description Changes the status, responsible member, due date and notes of a control. An absent field stays as it is, null clears. `NOT_APPLICABLE` needs a justification; who answers for the control is an active member.
         */
        patch: operations["updateControl"];
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/available-workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflow imports
         * @description What it has imported, by id. These are its own workflows, official titles and mappings; only its members see them.
         */
        get: operations["listWorkflowImports"];
        put?: never;
        /**
         * Import workflow
         * @description A workflow of the organization’s own, with `mode` `TITLES` official titles for one that is there for everybody, or with `mode` `MAPPING` which controls of two workflows require the same: its fields, or all of it as YAML or JSON in `text`, 1 MB at most; or an OSCAL catalog (JSON) as it is published, 5 MB at most, with `id` beside `catalog` where its title shall not be the id; or a library of CISO Assistant in `text`, 5 MB at most. 2,000 controls at most; every error is reported with its place. What was imported under that id before is replaced, with status 200, and so is a mapping of the same two workflows. While that workflow is associated, `preview_digest` of a preview is required (409 `WORKFLOW_ASSOCIATED`), and has to be of what the import does (409 `STALE_PREVIEW`); statuses and documents stay by the ids of the controls.
         */
        post: operations["importWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflow-import-previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview workflow import
         * @description Says what the import of a workflow would add, remove and change, with the statuses, responsible members and documents of those controls. It stores nothing. The body is that of an import of a workflow, without `mode`. Send its `digest` as `preview_digest` with the import to have exactly that done.
         */
        post: operations["previewWorkflowImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/available-workflows/{workflowid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get workflow import
         * @description What an organization has imported under an id. It is a workflow of its own, official titles or a mapping.
         */
        get: operations["getWorkflowImport"];
        put?: never;
        post?: never;
        /**
         * Delete workflow import
         * @description Removes an import; not a workflow that is associated with the organization.
         */
        delete: operations["deleteWorkflowImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/{artifactid}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List artifact versions
         * @description Versions of one artifact, newest first: of a control that the organization has, or had, documents for.
         */
        get: operations["listArtifactVersions"];
        put?: never;
        /**
         * Upload document version
         * @description Uploads a version of a document. The same content again is the version that is there; the ten newest are kept. Contents are compared by their SHA-256; one that is there is answered with status 200.
         */
        post: operations["uploadDocumentVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description Document versions, newest first unless ordered otherwise. Those of all workflows.
         */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get document
         * @description One document version. `download_url` leads to its bytes.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete document version
         * @description Deletes a document version. Versions of other users require SECURITY_OFFICER.
         */
        delete: operations["deleteDocumentVersion"];
        options?: never;
        head?: never;
        /**
         * Update document version
         * @description Says of a document version when it was true, and what a reader should know. Its content never changes. An absent field stays as it is, null empties it.
         */
        patch: operations["updateDocumentVersion"];
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/reuse-suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reuse suggestions
         * @description The open controls of a workflow that documents of other workflows of the organization cover, in reading order. The workflow need not be associated yet. Open are those that are neither done nor left out; each comes with the newest version of every control that is mapped to it.
         */
        get: operations["listReuseSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/evidence-pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download evidence pack
         * @description One ZIP with the documents of the workflow and those of other workflows that count by a mapping (`mapped.csv`), its controls and statement of applicability, the history of statuses, entries of the audit trail and the incidents of the organization. `manifest.json` is signed, and `sha256sum -c manifest.sha256` verifies the files. `from` and `to` select a period. It is open to a token, and to an address that `evidencePackUrl` has signed.
         */
        get: operations["downloadEvidencePack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/oscal/assessment-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export assessment results
         * @description OSCAL assessment results (JSON, without envelope): a finding for each control with its status, and an observation for each document that counts for it, with the SHA-256 of its content. A control that does not apply is `not-satisfied` with the implementation status `not-applicable`.
         */
        get: operations["exportAssessmentResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/oscal/component-definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export component definition
         * @description An OSCAL component definition (JSON, without envelope): the measures of the organization as one component, with an implemented requirement for each control, its implementation status and its documents.
         */
        get: operations["exportComponentDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incidents
         * @description Its incidents, newest first unless ordered otherwise.
         */
        get: operations["listIncidents"];
        put?: never;
        /**
         * Open incident
         * @description Opens an incident. Which reports it owes follows from its facts and the settings of the organization.
         */
        post: operations["openIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get incident
         * @description An incident of an organization.
         */
        get: operations["getIncident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update incident
         * @description Changes an incident. One that is closed has to be opened again first (409). What lets a report be sent later or not at all requires SECURITY_OFFICER and a reason. Such are a later `aware_at`, `significant: false`, and whatever else moves a deadline forward or takes it away. Absent fields stay as they are.
         */
        patch: operations["updateIncident"];
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get incident clock
         * @description The reports that authorities expect.
         */
        get: operations["getIncidentClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/significance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List significance questions
         * @description The questions whose answers say whether an incident is significant, by the services that the organization may provide.
         */
        get: operations["listSignificanceQuestions"];
        put?: never;
        /**
         * Assess incident
         * @description Sets whether an incident is significant by answers to the questions of the acts that say so; the reason is recorded. Answers that contradict each other, or leave it open, are refused. One that was significant and is not by them requires SECURITY_OFFICER.
         */
        post: operations["assessIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close incident
         * @description Closes an incident. One that owes reports requires SECURITY_OFFICER and a reason. Closing it again changes nothing.
         */
        post: operations["closeIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/rejudge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rejudge incident
         * @description Judges an incident by the facts of its organization as they are now, instead of those of awareness; what was recorded about its reports stays. It requires SECURITY_OFFICER. Takes at least a Security Officer.
         */
        post: operations["rejudgeIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen incident
         * @description Opens a closed incident again; its status is `OPEN` then. One that is not closed stays as it is. Takes at least a Security Officer.
         */
        post: operations["reopenIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incident reports
         * @description What was recorded about its reports, corrections included, newest first.
         */
        get: operations["listIncidentReports"];
        put?: never;
        /**
         * Record incident report
         * @description Records that a report was sent, alone or in one with reports before it, that what it asks for was provided already, or that it is not due (SECURITY_OFFICER). Those of a regime follow each other, each once; anything else is 409 with a reason. Its deadline and the regime are fixed by it. The answer is the incident with its clock.
         */
        post: operations["recordIncidentReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Correct incident report
         * @description Corrects what is recorded of a report, or takes it back; what was recorded before stays in the history. `sent_at` null takes it back. Takes at least a Security Officer.
         */
        patch: operations["correctIncidentReport"];
        trace?: never;
    };
    "/api/v1/v-ciso/reporting-regimes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reporting regimes
         * @description The laws that ask for reports after an incident, with their stages and what each report says.
         */
        get: operations["listReportingRegimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draft incident report
         * @description A report that is filled from the incident, its notes and the organization, and what is still missing in it. It changes nothing.
         */
        get: operations["draftIncidentReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Print incident report draft
         * @description The draft as a page that can be printed, or saved as PDF, by a browser. The download is recorded.
         */
        get: operations["printIncidentReportDraft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/reports/{regime_id}/{stage}/draft.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download incident report draft
         * @description The draft as a PDF document of at most 500 pages. The download is recorded.
         */
        get: operations["downloadIncidentReportDraft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incident notes
         * @description Notes on it, newest first.
         */
        get: operations["listIncidentNotes"];
        put?: never;
        /**
         * Add incident note
         * @description Adds a note to an incident, which may be closed. Notes are neither changed nor deleted.
         */
        post: operations["addIncidentNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incident timeline
         * @description What has happened to it, oldest first unless ordered otherwise: records about reports, files, notes, and for SECURITY_OFFICER and above what else the audit trail has about it. The field that `kind` names has the object, the others are null.
         */
        get: operations["listIncidentTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incident attachments
         * @description Its files, newest first.
         */
        get: operations["listIncidentAttachments"];
        put?: never;
        /**
         * Upload incident attachment
         * @description Attaches a file to an incident: 25 MB at most, of the types that documents have.
         */
        post: operations["uploadIncidentAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read incident attachment
         * @description A file of an incident, without its bytes. `download_url` leads to them.
         */
        get: operations["readIncidentAttachment"];
        put?: never;
        post?: never;
        /**
         * Delete incident attachment
         * @description Deletes a file of an incident. Files of other users require SECURITY_OFFICER.
         */
        delete: operations["deleteIncidentAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cloud-defender": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cloud defenders
         * @description The edge-protection configurations of one organization, or of all that the caller manages.
         */
        get: operations["listCloudDefenders"];
        put?: never;
        /**
         * Create cloud defender
         * @description Creates an edge-protection configuration. Only who manages the organization can.
         */
        post: operations["createCloudDefender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cloud-defender/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get cloud defender
         * @description An edge-protection configuration; the caller has to manage its organization.
         */
        get: operations["getCloudDefender"];
        put?: never;
        post?: never;
        /**
         * Delete cloud defender
         * @description Deletes an edge-protection configuration softly; the caller has to manage its organization. The answer is what it was.
         */
        delete: operations["deleteCloudDefender"];
        options?: never;
        head?: never;
        /**
         * Update cloud defender
         * @description Changes an edge-protection configuration; what is absent stays as it is. Null empties what may be empty.
         */
        patch: operations["updateCloudDefender"];
        trace?: never;
    };
    "/api/v1/cloud-defender/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore cloud defender
         * @description Restores an edge-protection configuration that was deleted in the last 30 days; one that is not deleted stays as it is.
         */
        post: operations["restoreCloudDefender"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cloud-defender/{id}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get cloud defender series
         * @description Its reports in buckets of an hour or a day, 2,200 at most. Reports are kept for 90 days at least. Buckets are those of UTC.
         */
        get: operations["getCloudDefenderSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cloud-defender/{id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report cloud defender check
         * @description Takes what a device found, with a token for telemetry of who manages it. The same report again changes nothing; another one of the same moment is a 409. Then nothing is stored.
         */
        post: operations["reportCloudDefenderCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/atb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List threat blockers
         * @description The threat-blocker configurations of one organization, or of all that the caller manages.
         */
        get: operations["listThreatBlockers"];
        put?: never;
        /**
         * Create threat blocker
         * @description Creates a threat-blocker configuration. Only who manages the organization can.
         */
        post: operations["createThreatBlocker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/atb/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get threat blocker
         * @description A threat-blocker configuration; the caller has to manage its organization.
         */
        get: operations["getThreatBlocker"];
        put?: never;
        post?: never;
        /**
         * Delete threat blocker
         * @description Deletes a threat-blocker configuration softly; the caller has to manage its organization. The answer is what it was.
         */
        delete: operations["deleteThreatBlocker"];
        options?: never;
        head?: never;
        /**
         * Update threat blocker
         * @description Changes a threat-blocker configuration; what is absent stays as it is. Null empties what may be empty.
         */
        patch: operations["updateThreatBlocker"];
        trace?: never;
    };
    "/api/v1/atb/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore threat blocker
         * @description Restores a threat-blocker configuration that was deleted in the last 30 days; one that is not deleted stays as it is.
         */
        post: operations["restoreThreatBlocker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/atb/{id}/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get threat blocker series
         * @description Its reports in buckets of an hour or a day, 2,200 at most. Reports are kept for 90 days at least. Buckets are those of UTC.
         */
        get: operations["getThreatBlockerSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/atb/{id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report threat blocker check
         * @description Takes what a device found, with a token for telemetry of who manages it. The same report again changes nothing; another one of the same moment is a 409. Then nothing is stored.
         */
        post: operations["reportThreatBlockerCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/atb/{id}/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate atb key
         * @description Gives a threat-blocker configuration another key; the one before is dead at once. Only who manages the organization can.
         */
        post: operations["rotateAtbKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/atb/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report threat blocker check by key
         * @description As `reportThreatBlockerCheck`, for a device that knows nothing of itself but its key.
         */
        post: operations["reportThreatBlockerCheckByKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description What has happened in all organizations of the caller, oldest first, in one order that does not change. `Link` always has the address at which to go on (`rel="next"`), also when there are no events: follow it at once while there are some, and later, or at once with `wait`, when there are none. Without `after` it begins with the oldest event that is kept. Members get what each of them may read; who may read an audit trail gets all of it.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Addresses that its events are sent to, oldest first. Requires ORGANIZATION_MANAGER.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create webhook endpoint
         * @description Creates a webhook endpoint. The secret is in this answer and never again. An organization has 5 at most: 409 beyond. Requires ORGANIZATION_MANAGER.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook endpoint
         * @description A webhook endpoint of an organization. Requires ORGANIZATION_MANAGER.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete webhook endpoint
         * @description Deletes a webhook endpoint; nothing more is sent to it. Requires ORGANIZATION_MANAGER.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update webhook endpoint
         * @description Changes a webhook endpoint, enables or disables it. Who enables it is whose membership it ends with. Requires ORGANIZATION_MANAGER. What is absent stays as it is.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate webhook secret
         * @description Puts a new secret in the place of one that signs as well for 24 hours. One before that signs no more. Requires ORGANIZATION_MANAGER.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send test webhook
         * @description Sends a test to a webhook endpoint, by the way of every event: its type is `WEBHOOK_TESTED`, whatever the endpoint is subscribed for. 409 while it is disabled. Requires ORGANIZATION_MANAGER.
         */
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover webhooks
         * @description Sends a webhook endpoint what it has missed: what was given up, and what happened while it was disabled or subscribed for other types. 10,000 events at a time. 409 while it is disabled. Requires ORGANIZATION_MANAGER.
         */
        post: operations["recoverWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description What was sent to it in the last 30 days, and is to be sent, newest first.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries/{webhookdeliveryid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get webhook delivery
         * @description What was sent to a webhook endpoint. Requires ORGANIZATION_MANAGER.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries/{webhookdeliveryid}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook attempts
         * @description Its attempts, newest first; those before it was sent again included.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/webhooks/{webhookendpointid}/deliveries/{webhookdeliveryid}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver webhook
         * @description Sends an event to a webhook endpoint again, whatever came of it before. 409 while the endpoint is disabled. Requires ORGANIZATION_MANAGER.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notifications
         * @description Notifications of the caller. The newest come first. To poll, send the `ETag` of the last answer as `If-None-Match`.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count unread notifications
         * @description How many notifications the caller has not read. In all organizations, or in one.
         */
        get: operations["countUnreadNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications read
         * @description Marks many notifications of the caller, or all, read or unread. Either `ids` (100 at most) or `all`, which `organization_id` narrows to one organization. An id that is not a notification of the caller refuses them all.
         */
        post: operations["markNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get notification
         * @description One notification of the caller.
         */
        get: operations["getNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update notification
         * @description Marks one notification of the caller read or unread.
         */
        patch: operations["updateNotification"];
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/weekly-report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview weekly report
         * @description The weekly report of an organization as it would go out now. Requires ORGANIZATION_MANAGER. It is the mail that contacts with `email_report` get.
         */
        get: operations["previewWeeklyReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organizationid}/weekly-report/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List weekly report deliveries
         * @description The weekly reports and whether they were delivered, newest first. Requires ORGANIZATION_MANAGER. One item for each report to each contact.
         */
        get: operations["listWeeklyReportDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get overview
         * @description The organizations that the caller belongs to, each with its progress, overdue controls, incidents, next legal deadline and devices that are down. `devices_down` is null where the caller is not an Organization Manager. Of each organization 50 open incidents are looked at for deadlines: significant ones first, then the newest. Sorted by `next_deadline`, organizations that owe no report come last either way.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/v-ciso/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List work
         * @description What is to be done in all organizations of the caller, the earliest first: controls with a due date, controls whose newest document is stale or expires soon, and reports that are owed. The 1,000 earliest controls and reviews are among it, and the reports of 50 open incidents of each organization. A control is there for its newest document where `kind` is `REVIEW`.
         */
        get: operations["listWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search
         * @description Finds text in everything that the caller may see. Best first: the title itself, its beginning, a part of it, elsewhere; then by type and id. At most 1,000 results of each kind are found; a `total` of 1,000 stands for 1,000 or more. Members are found where the caller may list them, and notifications are the newest 5,000 of the caller.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/downloads/{kind}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download file
         * @description What a `download_url` leads to. The address is signed, expires, and needs no token. Not found when it has expired or was changed.
         */
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get form options
         * @description Value lists, roles, types and limits, so that no frontend copies them. They are the same for every caller and change only with a new version of the gateway: keep them for an hour, and ask with `If-None-Match` from then on.
         */
        get: operations["getFormOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get interface description
         * @description This very document, as JSON.
         */
        get: operations["getInterfaceDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "organization.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.created
         * @description The organization was created.
         */
        post: operations["receive_organization_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.updated
         * @description Its profile, settings, branding or logo were changed.
         */
        post: operations["receive_organization_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.deleted
         * @description It was deleted; it can be restored for 30 days.
         */
        post: operations["receive_organization_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.restored
         * @description It was restored after it was deleted.
         */
        post: operations["receive_organization_restored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.purged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.purged
         * @description It was deleted for good, with all but its audit trail.
         */
        post: operations["receive_organization_purged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.ownership_transferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.ownership_transferred
         * @description Another member became its owner.
         */
        post: operations["receive_organization_ownership_transferred"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invitation.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invitation.created
         * @description A person was invited.
         */
        post: operations["receive_invitation_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invitation.resent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invitation.resent
         * @description An invitation was sent again.
         */
        post: operations["receive_invitation_resent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invitation.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * invitation.cancelled
         * @description An invitation was cancelled.
         */
        post: operations["receive_invitation_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.joined
         * @description A person became a member.
         */
        post: operations["receive_member_joined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.updated
         * @description The role of a member was changed, or the member was deactivated or reactivated.
         */
        post: operations["receive_member_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.removed
         * @description A member was removed.
         */
        post: operations["receive_member_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.left
         * @description A member left.
         */
        post: operations["receive_member_left"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service_account.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * service_account.created
         * @description A service account was created.
         */
        post: operations["receive_service_account_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service_account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * service_account.updated
         * @description A service account was changed, or the person responsible for it left.
         */
        post: operations["receive_service_account_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service_account.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * service_account.deleted
         * @description A service account was deleted, and its tokens revoked.
         */
        post: operations["receive_service_account_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * token.created
         * @description A token was made.
         */
        post: operations["receive_token_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * token.rotated
         * @description A token was replaced by a new one.
         */
        post: operations["receive_token_rotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * token.revoked
         * @description A token was revoked.
         */
        post: operations["receive_token_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * token.blocked
         * @description A token was blocked in the organization.
         */
        post: operations["receive_token_blocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * token.expiring
         * @description A token of a member expires soon.
         */
        post: operations["receive_token_expiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "token.used_from_new_address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * token.used_from_new_address
         * @description A token was used from an address that it had not been used from before.
         */
        post: operations["receive_token_used_from_new_address"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity_provider.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * identity_provider.created
         * @description An identity provider was connected.
         */
        post: operations["receive_identity_provider_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity_provider.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * identity_provider.updated
         * @description An identity provider was changed, or signing in through it became required or no longer so.
         */
        post: operations["receive_identity_provider_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity_provider.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * identity_provider.deleted
         * @description An identity provider was disconnected; the tokens that it had given were revoked.
         */
        post: operations["receive_identity_provider_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity_provider.domain_verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * identity_provider.domain_verified
         * @description A domain was proven to be the organization’s own.
         */
        post: operations["receive_identity_provider_domain_verified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.identity_linked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.identity_linked
         * @description A user was linked to a person that an identity provider knows.
         */
        post: operations["receive_member_identity_linked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.signed_in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.signed_in
         * @description A member signed in through an identity provider.
         */
        post: operations["receive_member_signed_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.signed_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.signed_out
         * @description An identity provider ended the session of a member, whose token was revoked.
         */
        post: operations["receive_member_signed_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.created
         * @description An engagement of auditors was created.
         */
        post: operations["receive_engagement_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.updated
         * @description The name or the end of an engagement was changed.
         */
        post: operations["receive_engagement_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.read
         * @description An auditor read something in the scope of an engagement.
         */
        post: operations["receive_engagement_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.auditor_joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.auditor_joined
         * @description A person accepted an invitation to an engagement.
         */
        post: operations["receive_engagement_auditor_joined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.auditor_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.auditor_removed
         * @description An auditor was removed from an engagement, or erased itself.
         */
        post: operations["receive_engagement_auditor_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.evidence_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.evidence_requested
         * @description An auditor asked for evidence of a control.
         */
        post: operations["receive_engagement_evidence_requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.request_answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.request_answered
         * @description A request of an auditor was answered or closed.
         */
        post: operations["receive_engagement_request_answered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "engagement.signed_off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * engagement.signed_off
         * @description An auditor signed a workflow or a control off.
         */
        post: operations["receive_engagement_signed_off"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.created
         * @description A webhook endpoint was created.
         */
        post: operations["receive_webhook_endpoint_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.updated
         * @description A webhook endpoint was changed, enabled or disabled.
         */
        post: operations["receive_webhook_endpoint_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.disabled
         * @description The gateway disabled a webhook endpoint.
         */
        post: operations["receive_webhook_endpoint_disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.deleted
         * @description A webhook endpoint was deleted.
         */
        post: operations["receive_webhook_endpoint_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.secret_rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.secret_rotated
         * @description The secret of a webhook endpoint was replaced; the old one signs as well for 24 hours.
         */
        post: operations["receive_webhook_endpoint_secret_rotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.tested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.tested
         * @description A test was sent to a webhook endpoint.
         */
        post: operations["receive_webhook_endpoint_tested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.redelivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.redelivered
         * @description Events were put in again for a webhook endpoint.
         */
        post: operations["receive_webhook_endpoint_redelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scim.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * scim.updated
         * @description What a directory may do by SCIM was changed.
         */
        post: operations["receive_scim_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scim_token.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * scim_token.created
         * @description A token for a directory was made.
         */
        post: operations["receive_scim_token_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scim_token.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * scim_token.revoked
         * @description A token of a directory was revoked.
         */
        post: operations["receive_scim_token_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scim_group.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * scim_group.created
         * @description A directory created a group.
         */
        post: operations["receive_scim_group_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scim_group.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * scim_group.updated
         * @description A directory changed a group or its members.
         */
        post: operations["receive_scim_group_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scim_group.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * scim_group.deleted
         * @description A directory deleted a group.
         */
        post: operations["receive_scim_group_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.associated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow.associated
         * @description A workflow was associated with the organization.
         */
        post: operations["receive_workflow_associated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.dissociated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow.dissociated
         * @description A workflow was dissociated.
         */
        post: operations["receive_workflow_dissociated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.exported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow.exported
         * @description A workflow was exported as OSCAL.
         */
        post: operations["receive_workflow_exported"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.imported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow.imported
         * @description A workflow, titles of one or a mapping were imported.
         */
        post: operations["receive_workflow_imported"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.import_deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow.import_deleted
         * @description An import was deleted.
         */
        post: operations["receive_workflow_import_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "control.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * control.updated
         * @description A control was changed.
         */
        post: operations["receive_control_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "control.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * control.assigned
         * @description A member became the owner of controls.
         */
        post: operations["receive_control_assigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "control.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * control.overdue
         * @description The due date of a control passed.
         */
        post: operations["receive_control_overdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "control.evidence_expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * control.evidence_expiring
         * @description The newest document of a control is about to expire, or is stale.
         */
        post: operations["receive_control_evidence_expiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.uploaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * document.uploaded
         * @description A document version was uploaded.
         */
        post: operations["receive_document_uploaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * document.updated
         * @description The note or the date of a document version was changed.
         */
        post: operations["receive_document_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * document.deleted
         * @description A document version was deleted.
         */
        post: operations["receive_document_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.trimmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * document.trimmed
         * @description A document version was removed because newer ones had taken its place.
         */
        post: operations["receive_document_trimmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.downloaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * document.downloaded
         * @description A document version was downloaded by its signed address.
         */
        post: operations["receive_document_downloaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.evidence_pack_downloaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow.evidence_pack_downloaded
         * @description The evidence of a workflow was downloaded as an archive.
         */
        post: operations["receive_workflow_evidence_pack_downloaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.opened
         * @description An incident was opened.
         */
        post: operations["receive_incident_opened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.updated
         * @description An incident was changed.
         */
        post: operations["receive_incident_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.assessed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.assessed
         * @description Whether an incident is significant was assessed by questions.
         */
        post: operations["receive_incident_assessed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.closed
         * @description An incident was closed.
         */
        post: operations["receive_incident_closed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.reopened
         * @description A closed incident was opened again.
         */
        post: operations["receive_incident_reopened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.rejudged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.rejudged
         * @description An incident was judged anew, by the facts of its organization as they were then.
         */
        post: operations["receive_incident_rejudged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.report_recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.report_recorded
         * @description It was recorded that a report of an incident was sent, provided already, or is not due.
         */
        post: operations["receive_incident_report_recorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.report_corrected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.report_corrected
         * @description What was recorded about a report was corrected.
         */
        post: operations["receive_incident_report_corrected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.report_draft_downloaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.report_draft_downloaded
         * @description The draft of a report was downloaded for printing.
         */
        post: operations["receive_incident_report_draft_downloaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.report_due_soon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.report_due_soon
         * @description The deadline of a report is near.
         */
        post: operations["receive_incident_report_due_soon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.report_overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.report_overdue
         * @description The deadline of a report passed, and the report is not recorded as sent.
         */
        post: operations["receive_incident_report_overdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.attachment_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.attachment_added
         * @description A file was attached to an incident.
         */
        post: operations["receive_incident_attachment_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.attachment_deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.attachment_deleted
         * @description A file of an incident was deleted.
         */
        post: operations["receive_incident_attachment_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.attachment_downloaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.attachment_downloaded
         * @description A file of an incident was downloaded by its signed address.
         */
        post: operations["receive_incident_attachment_downloaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "incident.note_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * incident.note_added
         * @description A note was added to an incident.
         */
        post: operations["receive_incident_note_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * device.created
         * @description A device was configured.
         */
        post: operations["receive_device_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * device.updated
         * @description The configuration of a device was changed.
         */
        post: operations["receive_device_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * device.deleted
         * @description A device was deleted.
         */
        post: operations["receive_device_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * device.restored
         * @description A deleted device was restored.
         */
        post: operations["receive_device_restored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.key_rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * device.key_rotated
         * @description The key of a device was replaced.
         */
        post: operations["receive_device_key_rotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "device.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * device.status_changed
         * @description A device reported another status, or fell silent.
         */
        post: operations["receive_device_status_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organization.list_downloaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * organization.list_downloaded
         * @description A list was downloaded as CSV or as a workbook.
         */
        post: operations["receive_organization_list_downloaded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "audit_trail.exported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * audit_trail.exported
         * @description The audit trail was exported.
         */
        post: operations["receive_audit_trail_exported"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "audit_trail.entries_set_aside": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * audit_trail.entries_set_aside
         * @description Entries that no gateway had written were taken out of the way of the audit trail.
         */
        post: operations["receive_audit_trail_entries_set_aside"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "audit_trail.pruned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * audit_trail.pruned
         * @description Entries were removed from the beginning of the audit trail after their retention.
         */
        post: operations["receive_audit_trail_pruned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "access.refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * access.refused
         * @description A member was refused what its role, or the token that it used, does not allow.
         */
        post: operations["receive_access_refused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An invitation to accept. */
        AcceptInvitationInput: {
            /** @description The secret of the newest mail; it begins with `inv_`. */
            secret: string;
            /** @description First name of a new user; one that exists keeps its own. 200 characters at most. */
            first_name?: string | null;
            /** @description Last name of a new user; one that exists keeps its own. 200 characters at most. */
            last_name?: string | null;
        };
        /** @description The result of `acceptInvitation`. */
        AcceptedInvitation: {
            /**
             * Format: int64
             * @description The organization that was joined.
             */
            organization_id: number;
            /** @description Its name. */
            organization: string;
            /**
             * Format: int64
             * @description The engagement of an auditor; null for a member.
             */
            engagement_id: number | null;
            /**
             * Format: uuid
             * @description The UUID of the user who has joined.
             */
            user_id: string;
            /** @description Its user name. */
            username: string;
            /**
             * Format: email
             * @description Its e-mail address.
             */
            email: string;
            /**
             * @description What it is in the organization.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description The first token of a new user, shown here once; null for a user that existed, who goes on with the tokens it has. */
            token: string | null;
            /**
             * Format: date-time
             * @description From when on that token is refused.
             */
            token_expires_at: string | null;
        };
        AcceptedInvitationEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["AcceptedInvitation"];
        };
        /** @description A note to add to an incident. Notes are neither changed nor deleted. */
        AddIncidentNoteInput: {
            /** @description What to note: text, which may be Markdown. 1 to 10,000 characters after trimming. */
            text: string;
        };
        /** @description Alert preferences of a member, by product. */
        Alerts: {
            /** @description Alerts of threat-blocker devices. */
            atb: boolean;
            /** @description Alerts of edge-protection devices. */
            cloud_defender: boolean;
            /** @description Alerts of workflows, documents and incidents. */
            v_ciso: boolean;
        };
        AlertsEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Alerts"];
        };
        /** @description An answer to a request of an auditor. What is absent stays as it is. */
        AnswerEvidenceRequestInput: {
            /** @description The answer. 2,000 characters at most. */
            answer?: string | null;
            /** @description Whether it is closed; it cannot be opened again. */
            close?: boolean | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly workflow_id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly control_id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly text?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_by?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly answered_by?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly answered_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly closed_at?: unknown;
        };
        /** @description A credential of a user. The token itself is shown once, when it is made. */
        ApiToken: {
            /**
             * Format: int64
             * @description What to revoke the token by.
             */
            id: number;
            /** @description What its user calls it. */
            name: string;
            /** @description The first characters of the token, to distinguish tokens. */
            prefix: string;
            /** @description What the token may be used for. */
            scopes: ("READ" | "WRITE" | "TELEMETRY")[];
            /**
             * Format: date-time
             * @description When the token was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when on the token is refused.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, exact to the minute; null when it never was.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null while it was not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When a new token took its place by `rotateApiToken`; null while none did.
             */
            replaced_at: string | null;
            /** @description Addresses and networks that it may be used from; empty is from anywhere. */
            allowed_ips: string[];
            /** @description Ids of the organizations whose owners have blocked it. */
            blocked_in: number[];
            /**
             * @description How it came to be.
             * @enum {string}
             */
            origin: "API" | "SIGN_IN" | "OPERATOR";
        };
        ApiTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ApiToken"];
        };
        ApiTokenListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ApiToken"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description The answers by which an incident is significant or not. */
        AssessIncidentInput: {
            /** @description The services that the incident concerns, such as `cloud`. 1 to 50 items, 64 characters at most each. */
            services: string[];
            /** @description The answers: one yes is enough, without one each criterion of the services needs a no. 1 to 200 items. */
            answers: components["schemas"]["SignificanceAnswerInput"][];
        };
        /** @description A workflow to associate with an organization. */
        AssociateWorkflowInput: {
            /** @description The `id` of an available workflow. */
            id: string;
        };
        /** @description A signed statement that an entry stood at a position: kept elsewhere, it shows whether the trail was changed since. */
        AuditCheckpoint: {
            /** @description The audit trail, such as `organization/1`. */
            log: string;
            /**
             * Format: int64
             * @description The place of the entry; 0 when there was none yet.
             */
            position: number;
            /** @description The hash of the entry, in lower-case hexadecimal. */
            hash: string;
            /**
             * Format: date-time
             * @description When it was signed.
             */
            at: string;
            /**
             * Format: int64
             * @description Its place among the checkpoints of the trail, beginning with 1; null before there is an entry.
             */
            number: number | null;
            /** @description SHA-256 of what all checkpoints before it add up to, in lower-case hexadecimal: it chains them; null for one without a number. */
            previous: string | null;
            /** @description Which key of `/.well-known/audit-keys.json` has signed it. */
            key_id: string;
            /** @description Ed25519 in base64url, over the canonical JSON (RFC 8785) of `at`, `hash`, `log` and `position`. */
            signature: string;
            /** @description As `signature`, over `number` and `previous` as well; null without them. */
            chain_signature: string | null;
        };
        AuditCheckpointEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["AuditCheckpoint"];
        };
        /** @description One entry of an audit trail. Entries are never changed. */
        AuditEntry: {
            /**
             * Format: int64
             * @description Its place in the trail; the first is 1.
             */
            position: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            action: "ORGANIZATION_CREATED" | "ORGANIZATION_UPDATED" | "ORGANIZATION_DELETED" | "ORGANIZATION_RESTORED" | "ORGANIZATION_PURGED" | "OWNERSHIP_TRANSFERRED" | "MEMBER_INVITED" | "INVITATION_RESENT" | "INVITATION_CANCELLED" | "MEMBER_JOINED" | "MEMBER_UPDATED" | "MEMBER_REMOVED" | "MEMBER_LEFT" | "PROFILE_UPDATED" | "PROFILE_EXPORTED" | "USER_ERASED" | "SERVICE_ACCOUNT_CREATED" | "SERVICE_ACCOUNT_UPDATED" | "SERVICE_ACCOUNT_DELETED" | "TOKEN_CREATED" | "TOKEN_ROTATED" | "TOKEN_REVOKED" | "TOKEN_RECOVERY_REQUESTED" | "TOKEN_RECOVERED" | "TOKEN_BLOCKED" | "TOKEN_EXPIRING" | "TOKEN_USED_FROM_NEW_ADDRESS" | "IDENTITY_PROVIDER_CREATED" | "IDENTITY_PROVIDER_UPDATED" | "IDENTITY_PROVIDER_DELETED" | "IDENTITY_DOMAIN_VERIFIED" | "IDENTITY_LINKED" | "SIGNED_IN" | "SIGNED_OUT" | "ENGAGEMENT_CREATED" | "ENGAGEMENT_UPDATED" | "ENGAGEMENT_READ" | "AUDITOR_JOINED" | "AUDITOR_REMOVED" | "EVIDENCE_REQUESTED" | "EVIDENCE_REQUEST_ANSWERED" | "SIGNED_OFF" | "WEBHOOK_ENDPOINT_CREATED" | "WEBHOOK_ENDPOINT_UPDATED" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_DELETED" | "WEBHOOK_SECRET_ROTATED" | "WEBHOOK_TESTED" | "WEBHOOK_REDELIVERED" | "SCIM_UPDATED" | "SCIM_TOKEN_CREATED" | "SCIM_TOKEN_REVOKED" | "SCIM_GROUP_CREATED" | "SCIM_GROUP_UPDATED" | "SCIM_GROUP_DELETED" | "WORKFLOW_ASSOCIATED" | "WORKFLOW_DISSOCIATED" | "WORKFLOW_EXPORTED" | "WORKFLOW_IMPORTED" | "WORKFLOW_IMPORT_DELETED" | "CONTROL_UPDATED" | "CONTROLS_ASSIGNED" | "CONTROL_OVERDUE" | "CONTROL_EVIDENCE_EXPIRING" | "DOCUMENT_UPLOADED" | "DOCUMENT_UPDATED" | "DOCUMENT_DELETED" | "DOCUMENT_TRIMMED" | "DOCUMENT_DOWNLOADED" | "EVIDENCE_PACK_DOWNLOADED" | "INCIDENT_OPENED" | "INCIDENT_UPDATED" | "INCIDENT_ASSESSED" | "INCIDENT_CLOSED" | "INCIDENT_REOPENED" | "INCIDENT_REJUDGED" | "REPORT_RECORDED" | "REPORT_CORRECTED" | "REPORT_DRAFT_DOWNLOADED" | "REPORT_DUE_SOON" | "REPORT_OVERDUE" | "ATTACHMENT_ADDED" | "ATTACHMENT_DELETED" | "ATTACHMENT_DOWNLOADED" | "NOTE_ADDED" | "DEVICE_CREATED" | "DEVICE_UPDATED" | "DEVICE_DELETED" | "DEVICE_RESTORED" | "DEVICE_KEY_ROTATED" | "DEVICE_STATUS_CHANGED" | "LIST_DOWNLOADED" | "AUDIT_TRAIL_EXPORTED" | "AUDIT_ENTRIES_SET_ASIDE" | "AUDIT_TRAIL_PRUNED" | "ACCESS_REFUSED";
            /** @description Who did it. */
            actor: {
                /**
                 * @description Which of them.
                 * @enum {string}
                 */
                type: "USER" | "SERVICE_ACCOUNT" | "SCIM" | "SYSTEM";
                /** @description The user or the service account; null for a directory and the gateway, and when the user was erased. User name at that time. */
                user: string | null;
                /** @description UUID of the user, also of one that was erased, or of the service account; null for others. */
                user_id: string | null;
                /** @description Name of the job, `signed-address` for a download without a token, or `scim:` and the name of the token of a directory; null for a user. */
                job: string | null;
                /**
                 * Format: int64
                 * @description The token that was used; null where there was none.
                 */
                token_id: number | null;
                /** @description The network address of the request; without a user only its network. Null where there was none, and when the user was erased. */
                address: string | null;
            };
            /** @description The `X-Request-Id` of the request; null for a job. */
            request_id: string | null;
            /** @description What it is about. */
            subject: {
                /**
                 * @description What kind of object it is.
                 * @enum {string}
                 */
                type: "ORGANIZATION" | "USER" | "MEMBER" | "SERVICE_ACCOUNT" | "ENGAGEMENT" | "INVITATION" | "TOKEN" | "IDENTITY_PROVIDER" | "SCIM_TOKEN" | "SCIM_GROUP" | "WEBHOOK_ENDPOINT" | "WORKFLOW" | "CONTROL" | "DOCUMENT_VERSION" | "INCIDENT" | "INCIDENT_ATTACHMENT" | "CLOUD_DEFENDER" | "THREAT_BLOCKER";
                /** @description What REST calls its `id`. */
                id: string;
                /** @description What it was called at that time; null when it is about a person who was erased. */
                name: string | null;
                /** @description What it belongs to: the incident of an attachment, the control of a document version. */
                parent: {
                    /**
                     * @description What kind of object it is.
                     * @enum {string}
                     */
                    type: "ORGANIZATION" | "USER" | "MEMBER" | "SERVICE_ACCOUNT" | "ENGAGEMENT" | "INVITATION" | "TOKEN" | "IDENTITY_PROVIDER" | "SCIM_TOKEN" | "SCIM_GROUP" | "WEBHOOK_ENDPOINT" | "WORKFLOW" | "CONTROL" | "DOCUMENT_VERSION" | "INCIDENT" | "INCIDENT_ATTACHMENT" | "CLOUD_DEFENDER" | "THREAT_BLOCKER";
                    /** @description What REST calls its `id`. */
                    id: string;
                } | null;
            };
            /** @description The fields that were changed, by name. */
            changes: {
                /** @description The name of the field, as GraphQL has it. */
                field: string;
                /** @description Its value before; null where there was none. */
                before: unknown;
                /** @description Its value afterwards; null where there is none. Of a secret it is only said that it was changed. */
                after: unknown;
            }[];
            /** @description The reason that was given, or found for a change of status; null where there is none. */
            reason: string | null;
            /** @description SHA-256 of the hash before and of the entry, in lower-case hexadecimal: it chains the entries. */
            hash: string;
        };
        AuditEntryListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["AuditEntry"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description Whether an audit trail is as it was written. */
        AuditTrailVerification: {
            /** @description Whether every entry and every checkpoint verifies. */
            valid: boolean;
            /**
             * Format: int64
             * @description The first position of the trail: more than 1 when earlier entries were removed after their retention.
             */
            verified_from: number;
            /**
             * Format: int64
             * @description The position up to which all entries verify.
             */
            verified_up_to: number;
            /**
             * Format: int64
             * @description How many entries the trail has, by its head.
             */
            entries: number;
            /**
             * Format: int64
             * @description How many checkpoints were verified.
             */
            checkpoints: number;
            /** @description The first fault; null when the trail is valid. */
            fault: {
                /**
                 * Format: int64
                 * @description The position of the entry or checkpoint.
                 */
                position: number;
                /**
                 * @description What is wrong.
                 * @enum {string}
                 */
                reason: "HASH_MISMATCH" | "POSITION_MISSING" | "HEAD_MISMATCH" | "CHECKPOINT_MISMATCH" | "CHECKPOINT_MISSING" | "SEAL_MISMATCH" | "SEAL_MISSING" | "SIGNATURE_INVALID";
                /** @description The same as a sentence. */
                message: string;
            } | null;
        };
        AuditTrailVerificationEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["AuditTrailVerification"];
        };
        /** @description A compliance framework or task set that organizations can associate. */
        AvailableWorkflow: {
            /** @description What to associate the workflow by, such as `iso-27001-2022`. */
            id: string;
            /** @description Name of the workflow. */
            name: string;
            /** @description Edition of the data, as its source numbers it. */
            version: string;
            /**
             * @description Framework or task set.
             * @enum {string}
             */
            kind: "FRAMEWORK" | "TASK_SET";
            /** @description Where its controls come from. */
            source: string;
            /** @description Address of the source; null when it has none. */
            source_url: string | null;
            /** @description Under which terms its data is given. */
            licence: string;
            /** @description What a reader should know about the data; null when nothing. */
            remarks: string | null;
        };
        AvailableWorkflowEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["AvailableWorkflow"];
        };
        /** @description How an organization looks. Default values where none is configured. */
        Branding: {
            /** @description Palette name; `default` where none is configured. */
            palette: string;
            /** @description The three colours of the palette. */
            custom_colors: {
                /** @description Primary colour, such as `#1F6FEB`. */
                primary: string;
                /** @description Primary colour under the pointer. */
                primary_hover: string;
                /** @description Primary colour in its dark shade. */
                primary_dark: string;
            };
        };
        BrandingEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Branding"];
        };
        /** @description Traffic of one bucket of time. */
        ChartStat: {
            /**
             * Format: int32
             * @description Begin of the bucket, in Unix seconds.
             */
            bucket_start: number;
            /**
             * Format: int32
             * @description End of the bucket, in Unix seconds.
             */
            bucket_end: number;
            /**
             * Format: int32
             * @description All requests of the bucket.
             */
            total_requests: number;
            /**
             * Format: int32
             * @description Those of them that were malicious.
             */
            malicious_requests: number;
        };
        /** @description Traffic of one bucket of time. */
        ChartStatInput: {
            /**
             * Format: int32
             * @description Begin of the bucket, in Unix seconds: at most 90 days ago.
             */
            bucket_start: number;
            /**
             * Format: int32
             * @description End of the bucket, in Unix seconds: after its begin, by a day at most.
             */
            bucket_end: number;
            /**
             * Format: int32
             * @description All requests of the bucket. 0 or more.
             */
            total_requests: number;
            /**
             * Format: int32
             * @description Those of them that were malicious. 0 or more.
             */
            malicious_requests: number;
        };
        /** @description What an integer of `check.status` means. */
        CheckStatusOption: {
            /** @description Its name. */
            name: string;
            /**
             * Format: int32
             * @description The integer.
             */
            value: number;
        };
        /** @description The incident to close. */
        CloseIncidentInput: {
            /** @description Why it is closed although reports were not sent: then required, of at least a SECURITY_OFFICER. 1 to 1,000 characters after trimming. */
            reason?: string | null;
        };
        /** @description Edge-protection configuration of an organization. */
        CloudDefender: {
            /**
             * Format: int64
             * @description The number that addresses of the REST interface carry.
             */
            id: number;
            /** @description The organization that has the configuration. */
            organization: components["schemas"]["OrganizationSummary"];
            /** @description Contact e-mail of the configuration. */
            email: string;
            /** @description Protected domain name. */
            fqdn: string;
            /** @description What the device reported. */
            check: {
                /** @description The newest report; before the first one zeros, and the time when the device was created. */
                stat: components["schemas"]["CloudDefenderStat"];
                /**
                 * Format: int32
                 * @description Overall state.
                 * @enum {integer}
                 */
                status: 0 | 1 | 2 | 3;
                /** @description Its reports of web traffic, oldest first. */
                web_stat: components["schemas"]["WebStat"][];
            };
            /** @description IP address of the endpoint. */
            endpoint: string;
            /** @description Enabled service names. */
            services: string[];
        };
        CloudDefenderEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["CloudDefender"];
        };
        /** @description Edge-protection configuration of an organization. */
        CloudDefenderItem: {
            /**
             * Format: int64
             * @description The number that addresses of the REST interface carry.
             */
            id: number;
            /** @description The organization that has the configuration. */
            organization: components["schemas"]["OrganizationSummary"];
            /** @description Contact e-mail of the configuration. */
            email: string;
            /** @description Protected domain name. */
            fqdn: string;
            /** @description What the device reported. */
            check: {
                /** @description The newest report; before the first one zeros, and the time when the device was created. */
                stat: components["schemas"]["CloudDefenderStat"];
                /**
                 * Format: int32
                 * @description Overall state.
                 * @enum {integer}
                 */
                status: 0 | 1 | 2 | 3;
            };
            /** @description IP address of the endpoint. */
            endpoint: string;
            /** @description Enabled service names. */
            services: string[];
        };
        CloudDefenderItemListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["CloudDefender"][] | components["schemas"]["CloudDefenderItem"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description What an edge protection found at one moment. */
        CloudDefenderReportInput: {
            /**
             * Format: date-time
             * @description The moment that it is of: at most 90 days ago, and at most five minutes ahead of our clock.
             */
            datetime: string;
            /** @description Web traffic, if there is any. */
            web_stat?: components["schemas"]["WebStatInput"] | null;
            /** @description The state of its parts. */
            stat: components["schemas"]["CloudDefenderStatInput"];
        };
        /** @description One report of an edge protection: the state of each part. */
        CloudDefenderStat: {
            /**
             * Format: int32
             * @description State of the protected domain name.
             * @enum {integer}
             */
            fqdn: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the proxy.
             * @enum {integer}
             */
            proxy: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the endpoint.
             * @enum {integer}
             */
            endpoint: 0 | 1 | 2 | 3;
            /**
             * Format: date-time
             * @description When the device reported.
             */
            datetime: string;
        };
        /** @description State of each part. */
        CloudDefenderStatInput: {
            /**
             * Format: int32
             * @description State of the protected domain name.
             * @enum {integer}
             */
            fqdn: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the proxy.
             * @enum {integer}
             */
            proxy: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the endpoint.
             * @enum {integer}
             */
            endpoint: 0 | 1 | 2 | 3;
        };
        /** @description A compliance framework that an organization names. */
        ComplianceFramework: {
            /**
             * @description Which framework.
             * @enum {string}
             */
            value: "ISO 27001:2023" | "NIS2";
            /** @description Metadata such as `extensions` and `entity_type`, key for key as it was sent. */
            fields: {
                [key: string]: unknown;
            };
        };
        /** @description A compliance framework to name. */
        ComplianceFrameworkInput: {
            /**
             * @description Which framework.
             * @enum {string}
             */
            value: "ISO 27001:2023" | "NIS2";
            /** @description Metadata: `extensions`, and `entity_type`, which `NIS2` requires. Extra properties are kept as sent. 16 KB and 10 levels at most. */
            fields: {
                /** @description Extensions of ISO 27001. */
                extensions?: ("ISO 27017:2021" | "ISO 27018:2020")[] | null;
                /**
                 * @description Required when `value` is `NIS2`.
                 * @enum {string|null}
                 */
                entity_type?: "important" | "essential" | null;
            } & {
                [key: string]: unknown;
            };
        };
        /** @description A person to turn to. */
        Contact: {
            /** @description Contact name. Empty when there is none. */
            name: string;
            /** @description Contact role. Empty when there is none. */
            role: string;
            /** @description E-mail address; set where there is no `phone`. Empty when there is none. */
            email: string;
            /** @description Telephone number; set where there is no `email`. Empty when there is none. */
            phone: string;
            /** @description Whether the contact receives the weekly report by e-mail. */
            email_report: boolean;
        };
        /** @description A person to turn to. */
        ContactInput: {
            /** @description Contact name. 200 characters at most. */
            name?: string | null;
            /** @description Contact role. 200 characters at most. */
            role?: string | null;
            /** @description E-mail address. Must be set when `phone` is empty. 254 characters at most. */
            email?: string | ("" | null);
            /** @description Telephone number. Must be set when `email` is empty. 50 characters at most. */
            phone?: string | null;
            /** @description Whether to send the automatic weekly report by e-mail. Then `email` must be set. */
            email_report?: boolean | null;
        } | {
            email: string;
        } | {
            phone: string;
        };
        /** @description What becomes of controls. An absent field stays as it is; null clears. */
        ControlChangeInput: {
            /**
             * @description How far the organization is; must not be null.
             * @enum {string}
             */
            status?: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
            /** @description Why it does not apply: required with `NOT_APPLICABLE`, and with no other status. 2,000 characters at most. */
            justification?: string | null;
            /** @description Why it was chosen, such as a risk, a law or a contract; for the statement of applicability. 2,000 characters at most. */
            inclusion_reason?: string | null;
            /** @description User id of the member who answers for it; must be an active one. */
            owner_id?: string | null;
            /**
             * Format: date
             * @description By which day it is to be done.
             */
            due_date?: string | null;
            /**
             * Format: int32
             * @description After how many months evidence without a last day of its own is stale; null means never. 1 to 120.
             */
            review_interval_months?: number | null;
            /** @description What the members should know of it. 5,000 characters at most. */
            note?: string | null;
        };
        /** @description A control and what becomes of it. An absent field stays as it is; null clears. */
        ControlUpdateInput: {
            /**
             * @description How far the organization is; must not be null.
             * @enum {string}
             */
            status?: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
            /** @description Why it does not apply: required with `NOT_APPLICABLE`, and with no other status. 2,000 characters at most. */
            justification?: string | null;
            /** @description Why it was chosen, such as a risk, a law or a contract; for the statement of applicability. 2,000 characters at most. */
            inclusion_reason?: string | null;
            /** @description User id of the member who answers for it; must be an active one. */
            owner_id?: string | null;
            /**
             * Format: date
             * @description By which day it is to be done.
             */
            due_date?: string | null;
            /**
             * Format: int32
             * @description After how many months evidence without a last day of its own is stale; null means never. 1 to 120.
             */
            review_interval_months?: number | null;
            /** @description What the members should know of it. 5,000 characters at most. */
            note?: string | null;
            /** @description Which control of the workflow. */
            control_id: string;
            /**
             * Format: int32
             * @description The `version` that the change is made to. When there is another one by now, nothing is changed: CONFLICT. Absent or null, the change is made whatever came in between.
             */
            version?: number | null;
        };
        /** @description A correction of a recorded report. What is absent stays as it is, except `sentAt`. */
        CorrectIncidentReportInput: {
            /** @description The reference number that the authority gave. 200 characters at most. */
            reference?: string | null;
            /**
             * Format: int64
             * @description The copy of what was sent: an attachment of the incident.
             */
            attachment_id?: number | null;
            /**
             * Format: int32
             * @description Which of the reports of the stage; the last one when absent. 1 or more.
             */
            number?: number | null;
            /**
             * Format: date-time
             * @description When it was really sent. Null says that it was not sent after all; it must not be absent.
             */
            sent_at: string | null;
            /** @description To whom it was sent. 200 characters at most. */
            recipient?: string | null;
            /** @description Why what was recorded is wrong. 1 to 1,000 characters after trimming. */
            reason: string;
        };
        /** @description A token to make for the caller. */
        CreateApiTokenInput: {
            /** @description What to call it. 1 to 100 characters after trimming. */
            name: string;
            /** @description What it may be used for; only reading when absent. 1 to 20 items. */
            scopes?: ("READ" | "WRITE" | "TELEMETRY")[] | null;
            /**
             * Format: date-time
             * @description From when on it is refused: in 90 days when absent, in 365 days at most.
             */
            expires_at?: string | null;
            /** @description Addresses and networks (CIDR, IPv4 and IPv6) that it may be used from; anywhere else it is no token. Those of the token of this request when absent, which must hold all of them. 50 items at most, 50 characters at most each. */
            allowed_ips?: string[] | null;
        };
        /** @description A new edge-protection configuration. */
        CreateCloudDefenderInput: {
            /**
             * Format: int64
             * @description The organization that gets the configuration.
             */
            organization_id: number;
            /**
             * Format: email
             * @description Contact e-mail of the configuration. 254 characters at most.
             */
            email: string;
            /**
             * Format: hostname
             * @description Protected domain name, a hostname. 253 characters at most.
             */
            fqdn: string;
            /** @description IP address of the endpoint, IPv4 or IPv6. 45 characters at most. */
            endpoint: string;
            /** @description Names of services to enable, free words; none when absent. 50 items at most, 1 to 64 characters each. */
            services?: string[] | null;
        };
        /** @description An engagement of auditors to create. */
        CreateEngagementInput: {
            /** @description What to call it. 1 to 200 characters after trimming. */
            name: string;
            /** @description Ids of associated workflows: its scope, which never changes. 1 to 20 items, 100 characters at most each. */
            workflows: string[];
            /**
             * Format: date-time
             * @description Begin of the period in its scope.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the period, which does not belong to it.
             */
            to: string;
            /**
             * Format: date-time
             * @description When the engagement ends: 730 days from now at most.
             */
            until: string;
        };
        /** @description An identity provider to connect. */
        CreateIdentityProviderInput: {
            /** @description The client secret; null or absent for a client without one. It is never shown again. In an update absent means that it stays, which another issuer does not allow. 1,000 characters at most. */
            client_secret?: string | null;
            /** @description Mail domains of the organization. Each new one has to be proven. 20 items at most, 253 characters at most each. */
            domains?: string[] | null;
            /** @description Whether the organization is reached by tokens of this provider alone. Other tokens of its members find it absent then. */
            required?: boolean | null;
            /**
             * @description The role of people who sign in and are no members yet; not ORGANIZATION_OWNER.
             * @enum {string|null}
             */
            default_role?: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER" | null;
            /** @description The claim that has the groups of a person. 1 to 200 characters after trimming. */
            groups_claim?: string | null;
            /** @description The roles that groups give. 100 items at most. */
            group_roles?: components["schemas"]["GroupRoleInput"][] | null;
            /** @description Where applications may have people sent back to, compared letter for letter. 20 items at most, 500 characters at most each. */
            redirect_uris?: string[] | null;
            /** @description What people enter at the sign-in page: letters, digits and hyphens. 1 to 60 characters after trimming. */
            name: string;
            /**
             * Format: uri
             * @description The issuer, letter for letter as its discovery document says it. 500 characters at most.
             */
            issuer: string;
            /** @description What the gateway is called there. 1 to 300 characters after trimming. */
            client_id: string;
        };
        /** @description The organization is either one JSON document in the part `data`, or a part for each value in bracket form: `data[name]`, `data[contacts][0][email]`, `data[sectors][]`. Numbers and booleans are read from their text. */
        CreateOrganizationForm: {
            /** @description The organization as JSON. */
            data?: components["schemas"]["CreateOrganizationInput"];
            /**
             * Format: binary
             * @description The logo: PNG, JPEG or WebP, 1 MB at most. It is stored, and its URL becomes `logo`.
             */
            logo?: string;
        } & {
            [key: string]: string | string[];
        };
        /** @description A new organization. Only its name is required; absent and null both mean empty. */
        CreateOrganizationInput: {
            /** @description Common name. 1 to 200 characters after trimming. */
            name: string;
            /** @description Free text. 10,000 characters at most. */
            description?: string | null;
            /**
             * Format: int32
             * @description Number of employees. 0 to 2,147,483,647.
             */
            number_employees?: number | null;
            /** @description Full http or https URL of the website. 2,048 characters at most. */
            website?: string | ("" | null);
            /** @description Full http or https URL of the logo file, on a public host. 2,048 characters at most. */
            logo?: string | ("" | null);
            /** @description Sectors, of those that the options list. 200 items at most. */
            sectors?: components["schemas"]["Sector"][] | null;
            /** @description Industries, of those that the options list. 200 items at most. */
            industries?: components["schemas"]["Industry"][] | null;
            /** @description NIS 2 sector, of those that the options list. */
            nis2_sector?: components["schemas"]["Nis2Sector"] | null;
            /** @description Frameworks to name, each once. Metadata only: no workflow is associated by it. 20 items at most. */
            compliance_frameworks?: components["schemas"]["ComplianceFrameworkInput"][] | null;
            /**
             * @description Where its systems run.
             * @enum {string|null}
             */
            infrastructure?: "cloud" | "on-prem" | "hybrid" | "" | null;
            /** @description Persons to turn to. 100 items at most. */
            contacts?: components["schemas"]["ContactInput"][] | null;
            /** @description Domains that the organization owns, as hostnames. 1,000 items at most, 253 characters at most each. */
            domains?: string[] | null;
            /** @description Public IPv4 addresses in dotted form. 1,000 items at most, 45 characters at most each. */
            ips?: string[] | null;
        };
        /** @description A token to make for a directory. */
        CreateScimTokenInput: {
            /** @description What to call it, such as the name of the directory. 1 to 100 characters after trimming. */
            name: string;
            /**
             * Format: date-time
             * @description From when on it is refused: in 365 days when absent, in 730 days at most.
             */
            expires_at?: string | null;
        };
        /** @description A service account to create. */
        CreateServiceAccountInput: {
            /** @description What to call it; its user name is made of it. 1 to 100 characters after trimming. */
            name: string;
            /** @description What it is for. 1,000 characters at most. */
            description?: string | null;
            /**
             * @description What it may do: below rank 4, or rank 4 where an owner creates it. Never ORGANIZATION_OWNER.
             * @enum {string}
             */
            role: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description UUID of the member who answers for it; the caller when absent. */
            responsible_id?: string | null;
        };
        /** @description A token to make for a service account. It may do no more than the token of this request. */
        CreateServiceAccountTokenInput: {
            /** @description What to call it. 1 to 100 characters after trimming. */
            name: string;
            /** @description What it may be used for; only reading when absent. 1 to 20 items. */
            scopes?: ("READ" | "WRITE" | "TELEMETRY")[] | null;
            /**
             * Format: date-time
             * @description From when on it is refused: in 90 days when absent, in 365 days at most.
             */
            expires_at?: string | null;
            /** @description Addresses and networks (CIDR, IPv4 and IPv6) that it may be used from; anywhere else it is no token. Those of the token of this request when absent, which must hold all of them. 50 items at most, 50 characters at most each. */
            allowed_ips?: string[] | null;
        };
        /** @description A new threat-blocker configuration. Its key is made for it. */
        CreateThreatBlockerInput: {
            /**
             * Format: int64
             * @description The organization that gets the configuration.
             */
            organization_id: number;
            /** @description Kind of configuration: a free word. 1 to 64 characters after trimming. */
            type: string;
            /**
             * Format: email
             * @description Contact e-mail of the configuration. 254 characters at most.
             */
            email: string;
            /** @description The plug-in that the device runs. */
            plugin?: components["schemas"]["ThreatBlockerPluginInput"] | null;
            /** @description IP address of the endpoint, IPv4 or IPv6. 45 characters at most. */
            endpoint: string;
            /** @description Private IP address, IPv4 or IPv6. 45 characters at most. */
            privateIP?: string | ("" | null);
            /** @description Names of services to enable, free words; none when absent. 50 items at most, 1 to 64 characters each. */
            services?: string[] | null;
            /** @description Device identifier. 200 characters at most. */
            device_id?: string | null;
        };
        /** @description A webhook endpoint to create. */
        CreateWebhookEndpointInput: {
            /**
             * Format: uri
             * @description The address. It must begin with `https://` and lead to the Internet. 2,000 characters at most.
             */
            url: string;
            /** @description What it is for. 500 characters at most. */
            description?: string | null;
            /** @description Types of the events that it gets; empty is all, those to come included. All when absent. 200 items at most. */
            event_types?: ("organization.created" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.purged" | "organization.ownership_transferred" | "invitation.created" | "invitation.resent" | "invitation.cancelled" | "member.joined" | "member.updated" | "member.removed" | "member.left" | "service_account.created" | "service_account.updated" | "service_account.deleted" | "token.created" | "token.rotated" | "token.revoked" | "token.blocked" | "token.expiring" | "token.used_from_new_address" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "identity_provider.domain_verified" | "member.identity_linked" | "member.signed_in" | "member.signed_out" | "engagement.created" | "engagement.updated" | "engagement.read" | "engagement.auditor_joined" | "engagement.auditor_removed" | "engagement.evidence_requested" | "engagement.request_answered" | "engagement.signed_off" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "scim.updated" | "scim_token.created" | "scim_token.revoked" | "scim_group.created" | "scim_group.updated" | "scim_group.deleted" | "workflow.associated" | "workflow.dissociated" | "workflow.exported" | "workflow.imported" | "workflow.import_deleted" | "control.updated" | "control.assigned" | "control.overdue" | "control.evidence_expiring" | "document.uploaded" | "document.updated" | "document.deleted" | "document.trimmed" | "document.downloaded" | "workflow.evidence_pack_downloaded" | "incident.opened" | "incident.updated" | "incident.assessed" | "incident.closed" | "incident.reopened" | "incident.rejudged" | "incident.report_recorded" | "incident.report_corrected" | "incident.report_draft_downloaded" | "incident.report_due_soon" | "incident.report_overdue" | "incident.attachment_added" | "incident.attachment_deleted" | "incident.attachment_downloaded" | "incident.note_added" | "device.created" | "device.updated" | "device.deleted" | "device.restored" | "device.key_rotated" | "device.status_changed" | "organization.list_downloaded" | "audit_trail.exported" | "audit_trail.entries_set_aside" | "audit_trail.pruned" | "access.refused")[] | null;
            /**
             * @description What is sent; `EVENT` when absent.
             * @enum {string|null}
             */
            format?: "EVENT" | "SLACK" | "TEAMS" | "OCSF" | null;
        };
        /** @description Who is calling, and with what. */
        CurrentToken: {
            /** @description The token of this very request. */
            token: components["schemas"]["ApiToken"];
            /** @description The user that the token belongs to. */
            user: components["schemas"]["Profile"];
            /** @description The first 100 of `organizations`, as a plain list: what the token of this request may do, and where. */
            organizations: components["schemas"]["TokenOrganization"][];
        };
        CurrentTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["CurrentToken"];
        };
        /** @description Colours as `#RRGGBB`. White text has to be readable on each: a contrast of at least 4.5 (WCAG 2.2, 1.4.3). */
        CustomColorsInput: {
            /** @description Primary colour. */
            primary: string;
            /** @description Primary colour under the pointer; absent or null, 86 % of each channel of the primary one. */
            primary_hover?: string | null;
            /** @description Primary colour in its dark shade; absent or null, 54 % of each channel of the primary one. */
            primary_dark?: string | null;
        };
        /** @description What a device reported in one bucket of time; zeros where it reported nothing. */
        DevicePoint: {
            /**
             * Format: date-time
             * @description Begin of the bucket.
             */
            begin: string;
            /**
             * Format: int32
             * @description How many reports there are.
             */
            reports: number;
            /**
             * Format: int32
             * @description The worst state that a report of the bucket has.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3;
            /**
             * Format: int64
             * @description Requests that the web application firewall stopped: a whole number.
             */
            waf_protection: number;
            /**
             * Format: int64
             * @description All requests that the device looked after: a whole number.
             */
            total_managed_requests: number;
        };
        /** @description What became of reports. It is the same however often the same reports are sent. */
        DeviceReceipt: {
            /**
             * Format: int32
             * @description How many reports were sent.
             */
            received: number;
            /**
             * Format: date-time
             * @description The moment of the newest of them.
             */
            newest: string;
        };
        DeviceReceiptEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["DeviceReceipt"];
        };
        /** @description What a device reported in whole buckets of time; reports are kept for 90 days at least. */
        DeviceSeries: {
            /**
             * Format: date-time
             * @description Begin of the first bucket.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last bucket.
             */
            to: string;
            /**
             * @description How long each bucket is.
             * @enum {string}
             */
            bucket: "HOUR" | "DAY";
            /** @description Every bucket, oldest first; 2,200 at most. */
            points: components["schemas"]["DevicePoint"][];
        };
        DeviceSeriesEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["DeviceSeries"];
        };
        /** @description A file that shows how a control is met. The ten newest of an artifact are kept. */
        Document: {
            /**
             * Format: int64
             * @description Version identifier.
             */
            id: number;
            /** @description Id of the workflow in the catalogue. */
            workflow_id: string;
            /** @description The control that it belongs to, such as `A.5.1`. */
            artifact_id: string;
            /** @description Name of the uploaded file. */
            original_name: string;
            /**
             * Format: int32
             * @description Size in bytes.
             */
            size: number;
            /** @description Media type of the file. */
            content_type: string;
            /**
             * @description Origin of the file.
             * @enum {string}
             */
            source: "attached" | "generated" | "imported";
            /** @description SHA-256 of the content, lower-case hexadecimal. */
            sha256: string;
            /** @description The person who uploaded it. User name at that time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the evidence was true, where that is not when it was uploaded; otherwise null.
             */
            effective_at: string | null;
            /**
             * Format: date
             * @description The last day on which it shows that the control is met; null when none is set.
             */
            valid_until: string | null;
            /**
             * @description Whether it still shows that the control is met: by its last day or, without one, by the review interval of the control.
             * @enum {string}
             */
            evidence_state: "FRESH" | "EXPIRING" | "STALE";
            /** @description What a reader should know of it; null when there is no note. */
            note: string | null;
            /**
             * Format: uri
             * @description Full address to download the file. It is signed, needs no token and expires soon.
             */
            download_url: string;
        };
        DocumentEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Document"];
        };
        DocumentListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Document"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A file that shows how a control is met. The ten newest of an artifact are kept. */
        DocumentVersion: {
            /**
             * Format: int64
             * @description Version identifier.
             */
            id: number;
            /** @description The control that it belongs to, such as `A.5.1`. */
            artifact_id: string;
            /** @description Name of the uploaded file. */
            original_name: string;
            /**
             * Format: int32
             * @description Size in bytes.
             */
            size: number;
            /** @description Media type of the file. */
            content_type: string;
            /**
             * @description Origin of the file.
             * @enum {string}
             */
            source: "attached" | "generated" | "imported";
            /** @description The person who uploaded it. User name at that time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            created_at: string;
            /**
             * Format: uri
             * @description Full address to download the file. It is signed, needs no token and expires soon.
             */
            download_url: string;
        };
        DocumentVersionEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["DocumentVersion"];
        };
        /** @description What auditors may read of an organization, and until when. They are no members of it; members see what they read in the audit trail. */
        Engagement: {
            /**
             * Format: int64
             * @description What to read it by.
             */
            id: number;
            /**
             * Format: int64
             * @description The organization that is audited.
             */
            organization_id: number;
            /** @description Name of the organization. */
            organization: string;
            /** @description What it is called. */
            name: string;
            /** @description Ids of the workflows in its scope. */
            workflows: string[];
            /**
             * Format: date-time
             * @description Begin of the period in its scope.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the period in its scope, which does not belong to it.
             */
            to: string;
            /**
             * Format: date-time
             * @description From when on its auditors find nothing of it.
             */
            until: string;
            /** @description Its auditors. */
            auditors: components["schemas"]["EngagementAuditor"][];
            /** @description Who created it; null when that user is gone. User name at that time. */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description An auditor of an engagement. */
        EngagementAuditor: {
            /** @description The UUID of the user. */
            user_id: string;
            /** @description User name. */
            username: string;
        };
        EngagementAuditorEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["EngagementAuditor"];
        };
        /** @description A control in the scope of an engagement. */
        EngagementControl: {
            /** @description The workflow. */
            workflow_id: string;
            /** @description The control. */
            control_id: string;
            /** @description What it is called. */
            label: string;
            /**
             * @description How far the organization is now.
             * @enum {string}
             */
            status: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
            /** @description Why the control does not apply; with no other status than `NOT_APPLICABLE`. Empty when there is none. */
            justification: string;
            /** @description The member who is responsible for it. User name at that time. */
            owner: string | null;
            /**
             * Format: date-time
             * @description When it was last changed; null when it never was.
             */
            updated_at: string | null;
        };
        EngagementControlListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["EngagementControl"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A document version in the scope of an engagement. */
        EngagementDocument: {
            /**
             * Format: int64
             * @description Number of the version.
             */
            id: number;
            /** @description The workflow. */
            workflow_id: string;
            /** @description The control. */
            control_id: string;
            /** @description Name of the file. */
            original_name: string;
            /**
             * Format: int32
             * @description Bytes.
             */
            size: number;
            /** @description Media type. */
            content_type: string;
            /** @description SHA-256 of the content, in lower-case hexadecimal. */
            sha256: string;
            /** @description Who uploaded it. User name at that time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was true; null when that was not said.
             */
            effective_at: string | null;
            /** @description Where to download it for a while, and not after the end of the engagement. */
            download_url: string;
        };
        EngagementDocumentListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["EngagementDocument"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description An entry of the audit trail in the scope of an engagement, without addresses. */
        EngagementEntry: {
            /**
             * Format: int64
             * @description Its place in the trail.
             */
            position: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            action: "ORGANIZATION_CREATED" | "ORGANIZATION_UPDATED" | "ORGANIZATION_DELETED" | "ORGANIZATION_RESTORED" | "ORGANIZATION_PURGED" | "OWNERSHIP_TRANSFERRED" | "MEMBER_INVITED" | "INVITATION_RESENT" | "INVITATION_CANCELLED" | "MEMBER_JOINED" | "MEMBER_UPDATED" | "MEMBER_REMOVED" | "MEMBER_LEFT" | "PROFILE_UPDATED" | "PROFILE_EXPORTED" | "USER_ERASED" | "SERVICE_ACCOUNT_CREATED" | "SERVICE_ACCOUNT_UPDATED" | "SERVICE_ACCOUNT_DELETED" | "TOKEN_CREATED" | "TOKEN_ROTATED" | "TOKEN_REVOKED" | "TOKEN_RECOVERY_REQUESTED" | "TOKEN_RECOVERED" | "TOKEN_BLOCKED" | "TOKEN_EXPIRING" | "TOKEN_USED_FROM_NEW_ADDRESS" | "IDENTITY_PROVIDER_CREATED" | "IDENTITY_PROVIDER_UPDATED" | "IDENTITY_PROVIDER_DELETED" | "IDENTITY_DOMAIN_VERIFIED" | "IDENTITY_LINKED" | "SIGNED_IN" | "SIGNED_OUT" | "ENGAGEMENT_CREATED" | "ENGAGEMENT_UPDATED" | "ENGAGEMENT_READ" | "AUDITOR_JOINED" | "AUDITOR_REMOVED" | "EVIDENCE_REQUESTED" | "EVIDENCE_REQUEST_ANSWERED" | "SIGNED_OFF" | "WEBHOOK_ENDPOINT_CREATED" | "WEBHOOK_ENDPOINT_UPDATED" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_DELETED" | "WEBHOOK_SECRET_ROTATED" | "WEBHOOK_TESTED" | "WEBHOOK_REDELIVERED" | "SCIM_UPDATED" | "SCIM_TOKEN_CREATED" | "SCIM_TOKEN_REVOKED" | "SCIM_GROUP_CREATED" | "SCIM_GROUP_UPDATED" | "SCIM_GROUP_DELETED" | "WORKFLOW_ASSOCIATED" | "WORKFLOW_DISSOCIATED" | "WORKFLOW_EXPORTED" | "WORKFLOW_IMPORTED" | "WORKFLOW_IMPORT_DELETED" | "CONTROL_UPDATED" | "CONTROLS_ASSIGNED" | "CONTROL_OVERDUE" | "CONTROL_EVIDENCE_EXPIRING" | "DOCUMENT_UPLOADED" | "DOCUMENT_UPDATED" | "DOCUMENT_DELETED" | "DOCUMENT_TRIMMED" | "DOCUMENT_DOWNLOADED" | "EVIDENCE_PACK_DOWNLOADED" | "INCIDENT_OPENED" | "INCIDENT_UPDATED" | "INCIDENT_ASSESSED" | "INCIDENT_CLOSED" | "INCIDENT_REOPENED" | "INCIDENT_REJUDGED" | "REPORT_RECORDED" | "REPORT_CORRECTED" | "REPORT_DRAFT_DOWNLOADED" | "REPORT_DUE_SOON" | "REPORT_OVERDUE" | "ATTACHMENT_ADDED" | "ATTACHMENT_DELETED" | "ATTACHMENT_DOWNLOADED" | "NOTE_ADDED" | "DEVICE_CREATED" | "DEVICE_UPDATED" | "DEVICE_DELETED" | "DEVICE_RESTORED" | "DEVICE_KEY_ROTATED" | "DEVICE_STATUS_CHANGED" | "LIST_DOWNLOADED" | "AUDIT_TRAIL_EXPORTED" | "AUDIT_ENTRIES_SET_ASIDE" | "AUDIT_TRAIL_PRUNED" | "ACCESS_REFUSED";
            /**
             * @description What kind of actor did it.
             * @enum {string}
             */
            actor_type: "USER" | "SERVICE_ACCOUNT" | "SCIM" | "SYSTEM";
            /** @description User name or job of the actor; null when it was erased. */
            actor: string | null;
            /** @description What it is about. */
            subject: {
                /**
                 * @description What kind of object it is.
                 * @enum {string}
                 */
                type: "ORGANIZATION" | "USER" | "MEMBER" | "SERVICE_ACCOUNT" | "ENGAGEMENT" | "INVITATION" | "TOKEN" | "IDENTITY_PROVIDER" | "SCIM_TOKEN" | "SCIM_GROUP" | "WEBHOOK_ENDPOINT" | "WORKFLOW" | "CONTROL" | "DOCUMENT_VERSION" | "INCIDENT" | "INCIDENT_ATTACHMENT" | "CLOUD_DEFENDER" | "THREAT_BLOCKER";
                /** @description What REST calls its `id`. */
                id: string;
                /** @description What it was called at that time; null when it is about a person who was erased. */
                name: string | null;
                /** @description What it belongs to: the incident of an attachment, the control of a document version. */
                parent: {
                    /**
                     * @description What kind of object it is.
                     * @enum {string}
                     */
                    type: "ORGANIZATION" | "USER" | "MEMBER" | "SERVICE_ACCOUNT" | "ENGAGEMENT" | "INVITATION" | "TOKEN" | "IDENTITY_PROVIDER" | "SCIM_TOKEN" | "SCIM_GROUP" | "WEBHOOK_ENDPOINT" | "WORKFLOW" | "CONTROL" | "DOCUMENT_VERSION" | "INCIDENT" | "INCIDENT_ATTACHMENT" | "CLOUD_DEFENDER" | "THREAT_BLOCKER";
                    /** @description What REST calls its `id`. */
                    id: string;
                } | null;
            };
            /** @description The fields that were changed. */
            changes: {
                /** @description The name of the field, as GraphQL has it. */
                field: string;
                /** @description Its value before; null where there was none. */
                before: unknown;
                /** @description Its value afterwards; null where there is none. Of a secret it is only said that it was changed. */
                after: unknown;
            }[];
            /** @description The reason; null where there is none. */
            reason: string | null;
            /** @description SHA-256 of the hash before and of the entry, in lower-case hexadecimal. */
            hash: string;
        };
        EngagementEntryListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["EngagementEntry"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        EngagementEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Engagement"];
        };
        /** @description An incident of which the organization became aware in the period of an engagement. */
        EngagementIncident: {
            /**
             * Format: int64
             * @description Number of the incident.
             */
            id: number;
            /** @description Title. */
            title: string;
            /** @description What happened, at length. Empty when there is none. */
            description: string;
            /**
             * @description How bad it is.
             * @enum {string}
             */
            severity: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /**
             * @description How far its handling is.
             * @enum {string}
             */
            status: "OPEN" | "CONTAINED" | "RESOLVED" | "CLOSED";
            /** @description Whether it is significant. */
            significant: boolean;
            /**
             * Format: date-time
             * @description When the organization became aware of it.
             */
            aware_at: string;
            /**
             * Format: date-time
             * @description When it was closed; null while it is not.
             */
            closed_at: string | null;
            /** @description The person who opened it, where that is known. Empty when there is none. User name at that time. */
            opened_by: string;
        };
        EngagementIncidentListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["EngagementIncident"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        EngagementListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Engagement"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description The result of `eraseMe`. */
        Erasure: {
            /** @description The UUID of the user, which stays in audit trails. */
            user_id: string;
            /** @description What stands in place of its user name from now on. */
            pseudonym: string;
        };
        ErasureEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Erasure"];
        };
        /** @description Every failure. It has no `data`. */
        Error: {
            /**
             * @description 1 means error.
             * @constant
             */
            error: 1;
            /** @description Zero or more details, as strings or as integer codes. */
            messages: (string | number)[];
        };
        /** @description Something that has happened in an organization: what it is about, never what it says. Read the object for that. */
        Event: {
            /** @description The organization and the position: the same whenever and however the event is read. */
            id: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            type: "organization.created" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.purged" | "organization.ownership_transferred" | "invitation.created" | "invitation.resent" | "invitation.cancelled" | "member.joined" | "member.updated" | "member.removed" | "member.left" | "service_account.created" | "service_account.updated" | "service_account.deleted" | "token.created" | "token.rotated" | "token.revoked" | "token.blocked" | "token.expiring" | "token.used_from_new_address" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "identity_provider.domain_verified" | "member.identity_linked" | "member.signed_in" | "member.signed_out" | "engagement.created" | "engagement.updated" | "engagement.read" | "engagement.auditor_joined" | "engagement.auditor_removed" | "engagement.evidence_requested" | "engagement.request_answered" | "engagement.signed_off" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "scim.updated" | "scim_token.created" | "scim_token.revoked" | "scim_group.created" | "scim_group.updated" | "scim_group.deleted" | "workflow.associated" | "workflow.dissociated" | "workflow.exported" | "workflow.imported" | "workflow.import_deleted" | "control.updated" | "control.assigned" | "control.overdue" | "control.evidence_expiring" | "document.uploaded" | "document.updated" | "document.deleted" | "document.trimmed" | "document.downloaded" | "workflow.evidence_pack_downloaded" | "incident.opened" | "incident.updated" | "incident.assessed" | "incident.closed" | "incident.reopened" | "incident.rejudged" | "incident.report_recorded" | "incident.report_corrected" | "incident.report_draft_downloaded" | "incident.report_due_soon" | "incident.report_overdue" | "incident.attachment_added" | "incident.attachment_deleted" | "incident.attachment_downloaded" | "incident.note_added" | "device.created" | "device.updated" | "device.deleted" | "device.restored" | "device.key_rotated" | "device.status_changed" | "organization.list_downloaded" | "audit_trail.exported" | "audit_trail.entries_set_aside" | "audit_trail.pruned" | "access.refused";
            /**
             * Format: int64
             * @description The organization.
             */
            organization_id: number;
            /** @description What it is about. */
            subject: {
                /**
                 * @description What kind of object it is.
                 * @enum {string}
                 */
                type: "ORGANIZATION" | "USER" | "MEMBER" | "SERVICE_ACCOUNT" | "ENGAGEMENT" | "INVITATION" | "TOKEN" | "IDENTITY_PROVIDER" | "SCIM_TOKEN" | "SCIM_GROUP" | "WEBHOOK_ENDPOINT" | "WORKFLOW" | "CONTROL" | "DOCUMENT_VERSION" | "INCIDENT" | "INCIDENT_ATTACHMENT" | "CLOUD_DEFENDER" | "THREAT_BLOCKER";
                /** @description What REST calls its `id`. */
                id: string;
            };
            /**
             * Format: int64
             * @description The place of its entry in the organization's audit trail.
             */
            position: number;
            /** @description Names of the fields that were changed, as GraphQL has them. */
            changed_fields: string[];
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Address at which REST reads what it is about; null where there is none. */
            url: string | null;
        };
        EventEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Event"][];
        };
        /** @description What an auditor asks for. */
        EvidenceRequest: {
            /**
             * Format: int64
             * @description What to answer it by.
             */
            id: number;
            /** @description The workflow. */
            workflow_id: string;
            /** @description The control. */
            control_id: string;
            /** @description What is asked for. */
            text: string;
            /** @description The auditor. User name at that time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was asked.
             */
            created_at: string;
            /** @description The answer. Empty when there is none. */
            answer: string;
            /** @description Who answered or closed it. User name at that time. */
            answered_by: string | null;
            /**
             * Format: date-time
             * @description When it was answered last; null while it was not.
             */
            answered_at: string | null;
            /**
             * Format: date-time
             * @description When it was closed; null while it is open.
             */
            closed_at: string | null;
        };
        EvidenceRequestEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["EvidenceRequest"];
        };
        EvidenceRequestListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["EvidenceRequest"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description What an application has got at the end of a sign-in. */
        ExchangeSignInCodeInput: {
            /** @description The parameter `code` of the redirect address. */
            code: string;
            /** @description The PKCE verifier whose S256 challenge began the sign-in. */
            code_verifier: string;
            /** @description The redirect address that the sign-in was begun with. */
            redirect_uri: string;
        };
        /** @description A type of file that may be uploaded. */
        FileTypeOption: {
            /** @description What it is called. */
            name: string;
            /** @description Media types that may be declared for it; the first is the one that is stored. */
            media_types: string[];
            /** @description Extensions that its name may have, without the dot. */
            extensions: string[];
        };
        /** @description What forms can offer: value lists in exact spelling, roles, types and limits. */
        FormOptions: {
            /** @description Sectors of an organization. Its exact spelling, which people read. */
            sectors: string[];
            /** @description Industries of an organization. Its exact spelling, which people read. */
            industries: string[];
            /** @description NIS 2 sectors of an organization. Its exact spelling, which people read. The first is the empty text, which stands for none. */
            nis2_sectors: string[];
            /** @description Frameworks that an organization may name. */
            compliance_frameworks: components["schemas"]["FrameworkOption"][];
            /** @description Where systems run. Its exact spelling, which people read. */
            infrastructures: string[];
            /** @description Roles, lowest rank first, each with all of its privileges. */
            roles: components["schemas"]["RoleDescription"][];
            /** @description What a token may be used for. */
            token_scopes: ("READ" | "WRITE" | "TELEMETRY")[];
            /** @description Categories of notifications. */
            notification_types: ("INCIDENT" | "DOCUMENT" | "DEVICE" | "WORKFLOW" | "MEMBER" | "TOKEN" | "SYSTEM")[];
            /** @description What notifications invite to. */
            notification_actions: ("OPEN" | "NONE")[];
            /** @description How bad incidents are, mildest first. */
            severities: ("LOW" | "MEDIUM" | "HIGH" | "CRITICAL")[];
            /** @description The progress of handling incidents. */
            incident_statuses: ("OPEN" | "CONTAINED" | "RESOLVED" | "CLOSED")[];
            /** @description Reports of incidents, in their order. */
            incident_report_stages: ("EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION")[];
            /** @description The progress of an organization with a control. */
            control_statuses: ("TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE")[];
            /** @description Kinds of device configurations, each by its path segment. Its exact spelling, which people read. */
            device_kinds: string[];
            /** @description What the integers of `check.status` mean. */
            check_statuses: components["schemas"]["CheckStatusOption"][];
            /** @description Where document versions come from. */
            document_sources: ("attached" | "generated" | "imported")[];
            /** @description Files that documents and attachments may be. */
            file_types: components["schemas"]["FileTypeOption"][];
            /** @description Files that logos may be. */
            logo_types: components["schemas"]["FileTypeOption"][];
            /** @description Time zones to offer, by their IANA names; older names are taken as well. */
            time_zones: string[];
            /** @description What values of enumerations are called. */
            labels: components["schemas"]["ValueLabel"][];
            /** @description Languages that a user or an organization may have chosen. */
            languages: components["schemas"]["LanguageOption"][];
            /** @description Settings of an organization that has settled nothing. */
            settings: components["schemas"]["OrganizationSettings"];
            /** @description Branding of an organization that has configured none. */
            branding: components["schemas"]["Branding"];
            /** @description Every number that a caller can run into. */
            limits: components["schemas"]["LimitOption"][];
        };
        FormOptionsEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["FormOptions"];
        };
        /** @description A compliance framework with what its `fields` may say. */
        FrameworkOption: {
            /** @description Its exact spelling, which people read. */
            value: string;
            /** @description What `fields.extensions` may hold. */
            extensions: string[];
            /** @description What `fields.entity_type` may be. */
            entity_types: string[];
        };
        /** @description The role that people in a group of a provider or directory get. */
        GroupRoleInput: {
            /** @description The group, as the claim or the directory names it. 1 to 200 characters after trimming. */
            group: string;
            /**
             * @description The role; not ORGANIZATION_OWNER.
             * @enum {string}
             */
            role: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
        };
        /** @description An OpenID Connect provider of an organization, through which its members sign in. */
        IdentityProvider: {
            /**
             * Format: int64
             * @description What to change it by.
             */
            id: number;
            /** @description What people enter at the sign-in page. No other provider has it. */
            name: string;
            /** @description The issuer, as its discovery document says it. */
            issuer: string;
            /** @description What the gateway is called there. */
            client_id: string;
            /** @description Whether there is a client secret. The secret itself is never shown. */
            has_secret: boolean;
            /** @description Mail domains of the organization. */
            domains: string[];
            /** @description Of each domain, whether it was proven, and how to prove it. */
            domain_proofs: {
                /** @description The domain. */
                domain: string;
                /**
                 * @description Whether it was proven.
                 * @enum {string}
                 */
                status: "PENDING" | "VERIFIED";
                /** @description The name at which the DNS has to have a TXT record. */
                record_name: string;
                /** @description What that record has to say. */
                record_text: string;
            }[];
            /** @description Whether the organization is reached by tokens of this provider alone. */
            required: boolean;
            /**
             * @description The role of people who sign in and are no members yet; null admits members only.
             * @enum {string|null}
             */
            default_role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER" | null;
            /** @description The claim that has the groups of a person; null where there is none. */
            groups_claim: string | null;
            /** @description The roles that groups give. The highest one counts, at each sign-in. */
            group_roles: {
                /** @description The group, as the claim or the directory names it. */
                group: string;
                /**
                 * @description The role.
                 * @enum {string}
                 */
                role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            }[];
            /** @description Where applications may have people sent back to, compared letter for letter. */
            redirect_uris: string[];
            /**
             * Format: date-time
             * @description When it was connected.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at: string;
        };
        IdentityProviderEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IdentityProvider"];
        };
        IdentityProviderListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IdentityProvider"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A workflow of the organization’s own, official titles for one of the catalogue, or a mapping between two workflows: as `text`, as `file`, or field by field, 1 MB at most; or an OSCAL catalog or a library of CISO Assistant, 5 MB at most. 2,000 controls at most. Each error names its place. */
        ImportWorkflowInput: {
            /** @description The whole workflow or mapping as YAML or JSON, or a library of CISO Assistant. */
            text?: string | null;
            /** @description An OSCAL catalog, or a profile resolved to one: what its file (JSON) has under `catalog`. `text` and `file` may also have the whole of such a file. */
            catalog?: {
                [key: string]: unknown;
            } | null;
            /** @description An OSCAL profile: what its file (JSON) has under `profile`, with the catalog that it imports as `catalog`, unless that is a workflow of the catalogue. */
            profile?: {
                [key: string]: unknown;
            } | null;
            /** @description What to store it by: small letters, digits and hyphens, 64 at most. Required among the fields; beside an OSCAL catalog its title when absent, and beside a library the end of its address. */
            id?: string | null;
            /** @description Its name. Required among the fields of a workflow. */
            name?: string | null;
            /** @description Edition of the source, as the file has it. Required among the fields of a workflow. */
            version?: string | null;
            /**
             * @description `framework` (when absent) or `task-set`.
             * @enum {string|null}
             */
            kind?: "framework" | "task-set" | null;
            /** @description Where it comes from. Required among the fields. */
            source?: components["schemas"]["WorkflowSourceInput"] | null;
            /** @description Under which terms it is used. Required among the fields. */
            licence?: string | null;
            /** @description What a reader should know about it. */
            remarks?: string | null;
            /** @description Its controls and tasks in reading order. Required among the fields of a workflow. 2,000 items at most. */
            controls?: components["schemas"]["WorkflowControlInput"][] | null;
            /**
             * @description What it is; `WORKFLOW` when absent.
             * @enum {string|null}
             */
            mode?: "WORKFLOW" | "TITLES" | "MAPPING" | null;
            /** @description The `digest` of a preview: the import is refused when it would change anything else. Required for a workflow that is associated with the organization. 64 characters at most. */
            preview_digest?: string | null;
            /** @description Of a mapping: a workflow. Required among its fields; beside a library, in place of the framework that it names first. */
            from?: string | null;
            /** @description Of a mapping: another workflow. Required among its fields; beside a library, in place of the framework that it names last. */
            to?: string | null;
            /** @description Of a mapping: which controls of the two require the same. Required among its fields. 2,000 items at most. */
            pairs?: components["schemas"]["MappingPairInput"][] | null;
        };
        /** @description A security incident of an organization, with the reports that it has to send. */
        Incident: {
            /**
             * Format: int64
             * @description The number that addresses of the REST interface carry.
             */
            id: number;
            /** @description The organization that has the incident. */
            organization: components["schemas"]["OrganizationSummary"];
            /** @description What happened, in a few words. */
            title: string;
            /** @description What happened, at length. Empty when there is none. */
            description: string;
            /**
             * @description How bad it is.
             * @enum {string}
             */
            severity: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /**
             * @description The progress of its handling.
             * @enum {string}
             */
            status: "OPEN" | "CONTAINED" | "RESOLVED" | "CLOSED";
            /** @description Whether it is significant in the sense of NIS 2 Article 23(3). */
            significant: boolean;
            /**
             * Format: date-time
             * @description When the organization became aware of it: the clock starts here.
             */
            aware_at: string;
            /**
             * Format: date-time
             * @description When its handling ended; null while it goes on. Final reports are due after it.
             */
            handled_at: string | null;
            /** @description Whether unlawful or malicious acts are suspected; null while that is not known. */
            suspected_malicious: boolean | null;
            /** @description Whether it may have an impact in other countries; null while that is not known. */
            cross_border: boolean | null;
            /** @description Whether it affects a trust service of the organization; null while that is not known. */
            affects_trust_service: boolean | null;
            /** @description Whether it is a personal data breach (GDPR Article 33); null while that is not known. */
            personal_data_concerned: boolean | null;
            /** @description Whether a vulnerability of a product that the organization makes is actively exploited (CRA Article 14(1)); null while that is not known. */
            exploited_vulnerability: boolean | null;
            /** @description Whether it is severe and affects the security of a product that the organization makes (CRA Article 14(3)); null while that is not known. */
            product_concerned: boolean | null;
            /**
             * Format: date-time
             * @description When it was classified as a major ICT-related incident (DORA Article 18); null while it is not.
             */
            classified_at: string | null;
            /**
             * Format: date-time
             * @description When a corrective or mitigating measure became available; null while there is none.
             */
            fix_available_at: string | null;
            /**
             * Format: date-time
             * @description The deadline of the intermediate report that an authority requested last; null where none did.
             */
            intermediate_report_due_at: string | null;
            /** @description The category of a regime that applies, such as `IS-1` of Italy. Empty when there is none. */
            category: string;
            /** @description Indicators of compromise. Empty when there is none. */
            indicators: string;
            /** @description What harm it does, and to whom. Empty when there is none. */
            impact: string;
            /** @description What caused it. Empty when there is none. */
            root_cause: string;
            /** @description What is done against it. Empty when there is none. */
            mitigation: string;
            /** @description The reports that authorities expect. */
            clock: components["schemas"]["IncidentClock"];
            /** @description The person who opened it, where that is known. Empty when there is none. User name at that time. */
            opened_by: string;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it was closed; null while it is not.
             */
            closed_at: string | null;
            /** @description The person who closed it; null unless it is closed. User name at that time. */
            closed_by: string | null;
        };
        /** @description A file of an incident. */
        IncidentAttachment: {
            /**
             * Format: int64
             * @description Attachment identifier.
             */
            id: number;
            /** @description Name of the uploaded file. */
            original_name: string;
            /** @description Media type of the file. */
            content_type: string;
            /**
             * Format: int32
             * @description Size in bytes.
             */
            size: number;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            created_at: string;
            /**
             * Format: uri
             * @description Full address to download the file. It is signed, needs no token and expires soon.
             */
            download_url: string;
        };
        IncidentAttachmentEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentAttachment"];
        };
        IncidentAttachmentListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentAttachment"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description The reports that authorities expect of an incident. */
        IncidentClock: {
            /** @description Whether a reporting regime applies: it follows from the facts of the incident and those of the organization. */
            applies: boolean;
            /** @description The reports of each regime that applies, in the order in which they are sent. Of a regime that does not apply, what was sent all the same. */
            stages: components["schemas"]["IncidentStage"][];
            /**
             * Format: date-time
             * @description Of when the facts of the organization are: of awareness, or of when the incident was judged anew.
             */
            facts_as_of: string;
            /** @description The facts of the organization at that time, by which the incident is judged. */
            facts: {
                /** @description Its name, as the conditions of regimes have it; `time_zone` is the calendar of deadlines. */
                fact: string;
                /** @description Its values; empty where there is none. */
                values: string[];
            }[];
            /** @description Regimes whose conditions on the incident are met and that are not for the organization by its profile; may be empty. */
            out_of_scope: {
                /** @description The regime, such as `nis2`. */
                regime_id: string;
                /** @description Name of the regime. */
                regime_name: string;
                /** @description The law. */
                source: string;
                /** @description Why it is not for the organization by its profile, and what to change where that is wrong. */
                reason: string;
            }[];
        };
        IncidentClockEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentClock"];
        };
        IncidentEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Incident"];
        };
        IncidentListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Incident"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A note on an incident. Notes are neither changed nor deleted. */
        IncidentNote: {
            /**
             * Format: int64
             * @description Number of the note; a later one has a higher number.
             */
            id: number;
            /** @description The text as it was written: it may be Markdown, and is not rendered. */
            text: string;
            /** @description The person who wrote it. User name at that time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was written.
             */
            created_at: string;
        };
        IncidentNoteEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentNote"];
        };
        IncidentNoteListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentNote"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A record about a report of an incident. Records never change: a correction is another record. */
        IncidentReport: {
            /**
             * Format: int64
             * @description Number of the record; a later one has a higher number.
             */
            id: number;
            /** @description The regime that asks for it. */
            regime_id: string;
            /**
             * @description Which report.
             * @enum {string}
             */
            stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            /**
             * Format: int32
             * @description Counts the reports of one stage, from 1.
             */
            number: number;
            /**
             * Format: date-time
             * @description When it was sent, or recorded as not due; null for a report that was recorded by mistake.
             */
            sent_at: string | null;
            /** @description The person who sent it. User name at that time. */
            sent_by: string;
            /** @description To whom it was sent, where that is not the recipient that the regime names. Empty when there is none. */
            recipient: string;
            /** @description The reference number that the authority gave. Empty when there is none. */
            reference: string;
            /**
             * Format: int64
             * @description The attachment that is the copy of what was sent.
             */
            attachment_id: number | null;
            /** @description Why it differs from the record before, which report had said it already, or why it is not due. Empty when there is none. */
            reason: string;
            /** @description The person who recorded it. User name at that time. */
            recorded_by: string;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            recorded_at: string;
            /**
             * @description How the duty to report was met.
             * @enum {string}
             */
            manner: "SENT" | "ALREADY_PROVIDED" | "NOT_DUE";
            /**
             * Format: date-time
             * @description Its deadline, fixed when it was recorded; null where it had none.
             */
            due_at: string | null;
            /** @description Whether it was sent after that. */
            late: boolean;
            /** @description The law that asked for it when it was recorded. Empty when there is none. */
            source: string;
            /**
             * Format: date-time
             * @description Until when that might pass because it was not on a working day; null where it might not.
             */
            extended_to: string | null;
        };
        /** @description A report as it would be sent now. Nothing is stored: it is made of the facts at the time of the query. */
        IncidentReportDraft: {
            /** @description The regime that asks for it. */
            regime_id: string;
            /** @description Name of the regime. */
            regime_name: string;
            /** @description The law that asks for it. */
            source: string;
            /** @description Why the regime applies. */
            reason: string;
            /**
             * @description Which report.
             * @enum {string}
             */
            stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            /**
             * Format: int32
             * @description Counts the reports of one stage, from 1.
             */
            number: number;
            /**
             * @description Where the report stands.
             * @enum {string}
             */
            state: "PENDING" | "DUE_SOON" | "SENT" | "OVERDUE" | "NOT_REQUIRED" | "TO_BE_DECIDED";
            /**
             * Format: date-time
             * @description When it is due; null while it has no deadline.
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description Until when it may be sent because that is not on a working day; null where the law does not allow it.
             */
            extended_to: string | null;
            /** @description To whom it has to be sent. */
            recipient: string;
            /** @description Address of the portal where it is sent; null where none is known. */
            portal_url: string | null;
            /** @description Its fields: who reports what, then what the law asks for. */
            fields: {
                /** @description Its name among the fields of the report. */
                key: string;
                /** @description What is asked for. */
                label: string;
                /** @description What the report says; null where nothing is known. */
                value: string | null;
                /**
                 * @description Where a draft takes it from.
                 * @enum {string}
                 */
                source: "INCIDENT" | "ORGANIZATION" | "NOTES" | "REPORTS" | "PERSON";
                /** @description The provision that asks for it; null where none does. */
                law: string | null;
                /** @description Whether it is asked for only where it applies or is known. */
                optional: boolean;
                /** @description Whether it has to be written before the report is sent. */
                missing: boolean;
            }[];
            /** @description Keys of the fields that have to be written before it is sent. */
            missing: string[];
            /** @description Tag of the language (BCP 47) in which it is written: that of the organization. */
            language: string;
            /**
             * Format: date-time
             * @description When the draft was made.
             */
            drafted_at: string;
        };
        IncidentReportDraftEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentReportDraft"];
        };
        IncidentReportListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentReport"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A report that a regime asks for. What it says of a report that was sent, was fixed when it was recorded. */
        IncidentStage: {
            /** @description The regime, such as `nis2`, `nis2-it` or `gdpr`. */
            regime_id: string;
            /** @description Name of the regime. */
            regime_name: string;
            /** @description The law that asks for it. Empty when there is none. */
            source: string;
            /** @description Why it applies. */
            reason: string;
            /**
             * @description Which report.
             * @enum {string}
             */
            stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            /**
             * Format: int32
             * @description Counts the reports of one stage from 1, such as monthly progress reports.
             */
            number: number;
            /**
             * @description Where the report stands.
             * @enum {string}
             */
            state: "PENDING" | "DUE_SOON" | "SENT" | "OVERDUE" | "NOT_REQUIRED" | "TO_BE_DECIDED";
            /**
             * Format: date-time
             * @description When it is due; null where it is not owed, and until what its deadline is counted from has happened.
             */
            due_at: string | null;
            /** @description Whether it was sent after its deadline. */
            late: boolean;
            /**
             * Format: date-time
             * @description When it was sent, when what it asks for was provided, or when it was recorded as not due; null while it was not.
             */
            sent_at: string | null;
            /** @description The person who sent it; null until it is sent. User name at that time. */
            sent_by: string | null;
            /** @description To whom it was sent, or has to be sent. Empty when there is none. */
            recipient: string;
            /** @description The reference number that the authority gave. Empty when there is none. */
            reference: string;
            /**
             * Format: int64
             * @description The attachment that is the copy of what was sent.
             */
            attachment_id: number | null;
            /**
             * @description How the duty to report was met; null while it was not.
             * @enum {string|null}
             */
            manner: "SENT" | "ALREADY_PROVIDED" | "NOT_DUE" | null;
            /** @description Of what was not sent: which report had said it, or why it is not due. Null unless that was recorded. */
            manner_reason: string | null;
            /**
             * Format: date-time
             * @description Until when it may be sent where `dueAt` is on a Saturday, a Sunday or a public holiday and the law lets that pass until the next working day; null where it does not. It is late after that only.
             */
            extended_to: string | null;
            /** @description Address of the portal where it is sent; null where none is known, or the regime does not apply. */
            portal_url: string | null;
            /** @description Of a report that was sent: what the facts as they are now say, where that differs from what was fixed when it was recorded. */
            judged_now: {
                /** @description Whether the regime applies. */
                applies: boolean;
                /**
                 * Format: date-time
                 * @description When it is due; null where there is no deadline.
                 */
                due_at: string | null;
                /** @description Whether it was sent after that. */
                late: boolean;
            } | null;
        };
        /** @description Something that has happened to an incident. The field that `kind` names has it; the others are null. */
        IncidentTimelineItem: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description What it is.
             * @enum {string}
             */
            kind: "ENTRY" | "REPORT" | "ATTACHMENT" | "NOTE";
            /** @description The person who did it; null for what the gateway did, and for a user who was erased. User name at that time. */
            actor: string | null;
            /** @description The entry of the audit trail. */
            entry: components["schemas"]["AuditEntry"] | null;
            /** @description The record about a report. */
            report: components["schemas"]["IncidentReport"] | null;
            /** @description The file. */
            attachment: components["schemas"]["IncidentAttachment"] | null;
            /** @description The note. */
            note: components["schemas"]["IncidentNote"] | null;
        };
        IncidentTimelineItemListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["IncidentTimelineItem"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /**
         * @description An industry, in exact spelling.
         * @enum {string}
         */
        Industry: "Accounting" | "Airlines/Aviation" | "Alternative Dispute Resolution" | "Alternative Medicine" | "Animation" | "Apparel/Fashion" | "Architecture/Planning" | "Arts/Crafts" | "Automotive" | "Aviation/Aerospace" | "Banking/Mortgage" | "Biotechnology/Greentech" | "Broadcast Media" | "Building Materials" | "Business / Management Consultancy" | "Business Supplies/Equipment" | "Capital Markets/Hedge Fund/Private Equity" | "Chemicals" | "Civic/Social Organization" | "Civil Engineering" | "Commercial Real Estate" | "Compliance & Risk Services" | "Computer Games" | "Computer Hardware" | "Computer Networking" | "Computer Software/Engineering" | "Computer/Network Security" | "Construction" | "Consumer Electronics" | "Consumer Goods" | "Consumer Services" | "Cosmetics" | "Cybersecurity Services (MSSP/MDR)" | "Dairy" | "Defense/Space" | "Design" | "E-Learning" | "Education Management" | "Electrical/Electronic Manufacturing" | "Entertainment/Movie Production" | "Environmental Services" | "Events Services" | "Executive Office" | "Facilities Services" | "Farming" | "Financial Services" | "Fine Art" | "Fishery" | "Food & Beverage Distribution" | "Food Production" | "Food/Beverages" | "Fundraising" | "Furniture" | "Gambling/Casinos" | "Glass/Ceramics/Concrete" | "Government Administration" | "Government Relations" | "Graphic Design/Web Design" | "Health/Fitness" | "Higher Education/Acadamia" | "Hospital/Health Care" | "Hospitality" | "Human Resources/HR" | "IT Managed Services (MSP)" | "Import/Export" | "Individual/Family Services" | "Industrial Automation" | "Information Services" | "Information Technology/IT" | "Insurance" | "International Affairs" | "International Trade/Development" | "Internet" | "Investment Banking/Venture" | "Investment Management/Hedge Fund/Private Equity" | "Judiciary" | "Law Enforcement" | "Law Practice/Law Firms" | "Legal Services" | "Legislative Office" | "Leisure/Travel" | "Library" | "Logistics/Procurement" | "Luxury Goods/Jewelry" | "Machinery" | "Maritime" | "Market Research" | "Marketing/Advertising/Sales" | "Mechanical or Industrial Engineering" | "Media Production" | "Medical Equipment" | "Medical Practice" | "Mental Health Care" | "Military Industry" | "Mining/Metals" | "Motion Pictures/Film" | "Museums/Institutions" | "Music" | "Nanotechnology" | "Newspapers/Journalism" | "Non-Profit/Volunteering" | "Oil/Energy/Solar/Greentech" | "Online Publishing" | "Other Industry" | "Outsourcing/Offshoring" | "Package/Freight Delivery" | "Packaging/Containers" | "Paper/Forest Products" | "Performing Arts" | "Pharmaceuticals" | "Philanthropy" | "Photography" | "Plastics" | "Political Organization" | "Primary/Secondary Education" | "Printing" | "Professional Training" | "Program Development" | "Public Relations/PR" | "Public Safety" | "Publishing Industry" | "Railroad Manufacture" | "Ranching" | "Real Estate/Mortgage" | "Recreational Facilities/Services" | "Religious Institutions" | "Renewables/Environment" | "Research Industry" | "Restaurants" | "Retail Industry" | "Security/Investigations" | "Semiconductors" | "Shipbuilding" | "Sporting Goods" | "Sports" | "Staffing/Recruiting" | "Supermarkets" | "Telecommunications" | "Textiles" | "Think Tanks" | "Tobacco" | "Translation/Localization" | "Transportation" | "Utilities" | "Venture Capital/VC" | "Veterinary" | "Warehousing" | "Wholesale" | "Wine/Spirits" | "Wireless" | "Writing/Editing";
        /** @description An offer to join an organization, sent by mail. Its secret is in the mail and nowhere else. */
        Invitation: {
            /**
             * Format: int64
             * @description What to resend or cancel it by.
             */
            id: number;
            /**
             * Format: email
             * @description Where its mails go, in lower case.
             */
            email: string;
            /**
             * @description What the person becomes by accepting it.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /**
             * Format: int64
             * @description The engagement that an auditor is invited to; null for who is to be a member.
             */
            engagement_id: number | null;
            /**
             * @description What has become of it.
             * @enum {string}
             */
            status: "OPEN" | "ACCEPTED" | "EXPIRED" | "CANCELLED";
            /** @description The member who sent its last mail. It can be accepted only while that member may invite to its role. User name at that time. */
            invited_by: string | null;
            /**
             * Format: int32
             * @description How many mails it had, of five at most.
             */
            mails_sent: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it can be accepted: seven days from its last mail.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was accepted; null while it was not.
             */
            accepted_at: string | null;
            /** @description What the caller may do with the invitation. */
            viewer_can: {
                /** @description Send one more mail. */
                resend: boolean;
                /** @description Cancel it. */
                cancel: boolean;
            };
        };
        InvitationEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Invitation"];
        };
        InvitationListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Invitation"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description What an open invitation offers to the person who holds its secret. */
        InvitationPreview: {
            /** @description Name of the organization. */
            organization: string;
            /** @description Name of the member who sent the newest mail. */
            inviter: string;
            /**
             * Format: email
             * @description The address that is invited.
             */
            email: string;
            /**
             * @description What the person becomes by accepting.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /**
             * Format: date-time
             * @description Until when the invitation can be accepted.
             */
            expires_at: string;
        };
        InvitationPreviewEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["InvitationPreview"];
        };
        /** @description An invitation to look at before it is accepted. */
        InvitationPreviewInput: {
            /** @description The secret of the newest mail; it begins with `inv_`. */
            secret: string;
        };
        /** @description A person to invite to an engagement. */
        InviteAuditorInput: {
            /**
             * Format: email
             * @description Where the mail goes; in any case, the same mailbox is the same person. 254 characters at most.
             */
            email: string;
        };
        /** @description A person to invite. */
        InviteMemberInput: {
            /**
             * Format: email
             * @description Where the mail goes; in any case, the same mailbox is the same person. 254 characters at most.
             */
            email: string;
            /**
             * @description What the person is to be. Rank 4 invites below rank 4, rank 5 to any role. Auditors are invited by `inviteAuditor`.
             * @enum {string}
             */
            role: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
        };
        /** @description A language in which the gateway writes to people. */
        LanguageOption: {
            /** @description Its tag (BCP 47), such as `it`. */
            tag: string;
            /** @description Its name, in the language itself. */
            name: string;
        };
        /** @description A number that a caller can run into. */
        LimitOption: {
            /** @description What is limited, in the spelling of REST, such as `organization.name_characters`. */
            name: string;
            /** @description The number, inclusive. */
            value: number;
        };
        /** @description Which notifications a member gets by mail, by category. They go to a verified e-mail address only. */
        MailPreferences: {
            /**
             * @description About incidents and their reports.
             * @enum {string}
             */
            incident: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER";
            /**
             * @description About document versions.
             * @enum {string}
             */
            document: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER";
            /**
             * @description About edge protections and threat blockers.
             * @enum {string}
             */
            device: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER";
            /**
             * @description About workflows and controls.
             * @enum {string}
             */
            workflow: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER";
            /**
             * @description About members and roles.
             * @enum {string}
             */
            member: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER";
            /**
             * @description About tokens of the user.
             * @enum {string}
             */
            token: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER";
            /**
             * @description About the platform itself.
             * @enum {string}
             */
            system: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER";
        };
        MailPreferencesEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["MailPreferences"];
        };
        /** @description A control with what requires the same in another workflow. */
        MappingPairInput: {
            /** @description A control of `from`, once in a mapping. Required. */
            control: string | null;
            /** @description Controls of `to`. Required. 200 items at most. */
            matches: string[] | null;
        };
        /** @description Which notifications of the caller to mark: either some by their ids, or all. */
        MarkNotificationsReadInput: {
            /** @description These. One that is not the caller's refuses all. 1 to 100 items. */
            ids?: number[] | null;
            /** @description All of them, or all of one organization. */
            all?: boolean | null;
            /**
             * Format: int64
             * @description With `all`: only those about this organization.
             */
            organization_id?: number | null;
            /** @description False marks them unread; true when absent. */
            read?: boolean | null;
        };
        /** @description The result of `createApiToken`. */
        NewApiToken: {
            /** @description The token to send as `X-Service-Token`. It is shown here once and kept nowhere. */
            token: string;
            /** @description What is known of the token from now on. */
            api_token: components["schemas"]["ApiToken"];
        };
        NewApiTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["NewApiToken"];
        };
        /** @description The result of `createScimToken`. */
        NewScimToken: {
            /** @description The token, to be entered in the directory. It is shown here once and kept nowhere. */
            token: string;
            /** @description What is known of the token from now on. */
            scim_token: components["schemas"]["ScimToken"];
        };
        NewScimTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["NewScimToken"];
        };
        /** @description The result of `createServiceAccountToken`. */
        NewServiceAccountToken: {
            /** @description The token to send as `X-Service-Token`. It is shown here once and kept nowhere. */
            token: string;
            /** @description What is known of the token from now on. */
            service_account_token: components["schemas"]["ServiceAccountToken"];
        };
        NewServiceAccountTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["NewServiceAccountToken"];
        };
        /** @description The result of `createWebhookEndpoint`. */
        NewWebhookEndpoint: {
            /** @description What requests are signed with (`whsec_…`). It is shown here once. */
            secret: string;
            /** @description The endpoint. */
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        NewWebhookEndpointEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["NewWebhookEndpoint"];
        };
        /**
         * @description A NIS 2 sector, in exact spelling; may be empty.
         * @enum {string}
         */
        Nis2Sector: "" | "Acqua potabile" | "Acque reflue" | "Energia - Energia elettrica" | "Energia - Gas" | "Energia - Idrogeno" | "Energia - Petrolio" | "Energia - Petrolio/Gas" | "Energia - Stoccaggio" | "Energia - Teleriscaldamento" | "Gestione servizi TIC (B2B)" | "Infrastrutture digitali" | "Infrastrutture mercati finanziari" | "Settore bancario" | "Settore sanitario" | "Settore sanitario - Farmaceutico" | "Settore sanitario - Ricerca" | "Spazio" | "Trasporti - Aereo" | "Trasporti - Ferroviario" | "Trasporti - Marittimo" | "Trasporti - Porti" | "Trasporti - Strada" | "Trasporti - Vie d'acqua interne" | "Fabbricazione - Altri mezzi di trasporto" | "Fabbricazione - Apparecchiature elettriche" | "Fabbricazione - Autoveicoli" | "Fabbricazione - Dispositivi medici" | "Fabbricazione - Elettronica" | "Fabbricazione - Macchinari" | "Fabbricazione sostanze chimiche" | "Fornitori di servizi digitali" | "Gestione dei rifiuti" | "Produzione e distribuzione alimenti" | "Ricerca" | "Servizi postali e di corriere" | "Cultura" | "Istruzione e Ricerca" | "PA" | "Trasporto pubblico locale";
        /** @description A message to the caller about one organization. */
        Notification: {
            /**
             * Format: int64
             * @description Notification identifier.
             */
            id: number;
            /** @description The organization that it is about. */
            organization: components["schemas"]["OrganizationSummary"];
            /** @description What it is about, in a few words. */
            title: string;
            /** @description The message itself. */
            message: string;
            /**
             * @description Its category.
             * @enum {string}
             */
            type: "INCIDENT" | "DOCUMENT" | "DEVICE" | "WORKFLOW" | "MEMBER" | "TOKEN" | "SYSTEM";
            /**
             * @description What it invites to.
             * @enum {string}
             */
            action: "OPEN" | "NONE";
            /** @description Whether the caller has read it. */
            read: boolean;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            datetime: string;
            /** @description Icon class names. */
            icon: string;
            /** @description What its action needs. */
            extra: {
                /** @description Relative link to what the notification is about. Empty when there is none. */
                href: string;
            };
        };
        NotificationEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Notification"];
        };
        NotificationListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Notification"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description What came of marking many notifications. */
        NotificationMarks: {
            /**
             * Format: int32
             * @description How many have changed: those that were marked so already are not counted.
             */
            changed: number;
            /**
             * Format: int32
             * @description How many notifications the caller has not read now, of all organizations.
             */
            unread: number;
        };
        NotificationMarksEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["NotificationMarks"];
        };
        /** @description An incident to open. */
        OpenIncidentInput: {
            /**
             * Format: date-time
             * @description When its handling ended: not in the future, not before awareness. Final reports are due after it.
             */
            handled_at?: string | null;
            /** @description Whether unlawful or malicious acts are suspected. */
            suspected_malicious?: boolean | null;
            /** @description Whether it may have an impact in other countries. */
            cross_border?: boolean | null;
            /** @description Whether it affects a trust service of the organization. */
            affects_trust_service?: boolean | null;
            /** @description Whether it is a personal data breach (GDPR Article 33). */
            personal_data_concerned?: boolean | null;
            /** @description Whether a vulnerability of a product that the organization makes is actively exploited (CRA Article 14(1)). */
            exploited_vulnerability?: boolean | null;
            /** @description Whether it is severe and affects the security of a product that the organization makes (CRA Article 14(3)). */
            product_concerned?: boolean | null;
            /**
             * Format: date-time
             * @description When it was classified as a major ICT-related incident (DORA Article 18): not in the future, not before awareness.
             */
            classified_at?: string | null;
            /**
             * Format: date-time
             * @description When a corrective or mitigating measure became available; not in the future.
             */
            fix_available_at?: string | null;
            /**
             * Format: date-time
             * @description The deadline of the intermediate report that an authority requested last.
             */
            intermediate_report_due_at?: string | null;
            /** @description The category of a regime that applies, such as `IS-1` of Italy. */
            category?: string | null;
            /** @description Indicators of compromise. 10,000 characters at most. */
            indicators?: string | null;
            /** @description What harm it does, and to whom. 10,000 characters at most. */
            impact?: string | null;
            /** @description What caused it. 10,000 characters at most. */
            root_cause?: string | null;
            /** @description What is done against it. 10,000 characters at most. */
            mitigation?: string | null;
            /** @description What happened, in one line. 1 to 200 characters after trimming. */
            title: string;
            /** @description What happened, at length. 10,000 characters at most. */
            description?: string | null;
            /**
             * @description How bad it is.
             * @enum {string}
             */
            severity: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /** @description Whether it is significant in the sense of NIS 2 Article 23(3); false when absent. */
            significant?: boolean | null;
            /**
             * Format: date-time
             * @description When the organization became aware; not in the future. Now when absent.
             */
            aware_at?: string | null;
        };
        /** @description A tenant with its profile. Of what was never given, there is none. */
        Organization: {
            /**
             * Format: int64
             * @description The number that addresses of the REST interface carry.
             */
            id: number;
            /** @description Common name. */
            name: string;
            /** @description Free text. Empty when there is none. */
            description: string;
            /**
             * Format: int32
             * @description Number of employees; null when it was never given.
             */
            number_employees: number | null;
            /** @description Full URL of the website. Empty when there is none. */
            website: string;
            /** @description Full URL of the logo file. Empty when there is none. */
            logo: string;
            /** @description Sectors. */
            sectors: components["schemas"]["Sector"][];
            /** @description Industries. */
            industries: components["schemas"]["Industry"][];
            /** @description NIS 2 sector. Empty when there is none. */
            nis2_sector: components["schemas"]["Nis2Sector"];
            /** @description Frameworks that the organization names. Metadata only: no workflow is associated by it. */
            compliance_frameworks: components["schemas"]["ComplianceFramework"][];
            /**
             * @description Where its systems run. Empty when there is none.
             * @enum {string}
             */
            infrastructure: "" | "cloud" | "on-prem" | "hybrid";
            /** @description Persons to turn to. */
            contacts: components["schemas"]["Contact"][];
            /** @description Domains that the organization owns, in lower case. */
            domains: string[];
            /** @description Public IPv4 addresses. */
            ips: string[];
            /**
             * Format: date-time
             * @description When the organization was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the organization was last changed.
             */
            updated_at: string;
        };
        /** @description A token of a member as one organization sees it, without what it may do elsewhere. */
        OrganizationApiToken: {
            /**
             * Format: int64
             * @description What to block it by.
             */
            id: number;
            /**
             * Format: uuid
             * @description The UUID of the member.
             */
            user_id: string;
            /** @description User name of the member. */
            username: string;
            /** @description What the member calls it. */
            name: string;
            /** @description The first characters of the token. */
            prefix: string;
            /** @description What it may be used for. */
            scopes: ("READ" | "WRITE" | "TELEMETRY")[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, wherever that was; null when it never was.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description Since when it may not act in this organization; null while it may.
             */
            blocked_at: string | null;
        };
        OrganizationApiTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationApiToken"];
        };
        OrganizationApiTokenListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationApiToken"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A control or task of a workflow, with how far one organization is with it. */
        OrganizationControl: {
            /** @description Its number in the source, such as `A.5.1`: the artifact id of documents. */
            id: string;
            /** @description A short label in our own words, not the official title. */
            label: string;
            /** @description `controlId` of the heading above; null at the top. */
            parent_id: string | null;
            /**
             * @description Control or task.
             * @enum {string}
             */
            kind: "CONTROL" | "TASK";
            /**
             * Format: int32
             * @description Place in the reading order of the workflow, from 1.
             */
            position: number;
            /**
             * @description How far the organization is.
             * @enum {string}
             */
            status: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
            /** @description Why the control does not apply; with no other status than `NOT_APPLICABLE`. Empty when there is none. */
            justification: string;
            /** @description Why it was chosen, such as a risk, a law or a contract. Empty when there is none. */
            inclusion_reason: string;
            /** @description The member who is responsible for it; null when there is none. */
            owner: {
                /** @description Id of the user. */
                user_id: string;
                /** @description User name. */
                username: string;
                /** @description First name. Empty when there is none. */
                first_name: string;
                /** @description Last name. Empty when there is none. */
                last_name: string;
            } | null;
            /**
             * Format: date
             * @description By which day it is to be done; null when none is set.
             */
            due_date: string | null;
            /** @description Whether that day has passed where the organization is while it is neither done nor left out. */
            overdue: boolean;
            /** @description What the members should know of it. Empty when there is none. */
            note: string;
            /**
             * Format: int32
             * @description After how many months evidence without a last day of its own is stale; null when it never is.
             */
            review_interval_months: number | null;
            /** @description The documents that show how it is met. */
            evidence: {
                /**
                 * Format: int32
                 * @description How many are stored for the control itself.
                 */
                own: number;
                /**
                 * Format: int32
                 * @description How many are stored for equivalent controls.
                 */
                mapped: number;
                /**
                 * Format: int32
                 * @description The sum of both.
                 */
                total: number;
                /**
                 * Format: date
                 * @description The last day on which they show it; null without documents, and when there is no last day. The newest document of the control itself decides; where it has none, the newest of the equivalent control that is valid for longest, for no longer than the review interval.
                 */
                valid_until: string | null;
                /** @description Which controls the mapped ones belong to. */
                sources: {
                    /** @description Id of its workflow. */
                    workflow_id: string;
                    /** @description Its number: the artifact id of the documents. */
                    control_id: string;
                    /** @description Its label. */
                    label: string;
                    /**
                     * Format: int32
                     * @description How many document versions are stored for it.
                     */
                    documents: number;
                    /** @description `controlId` of the heading that the mapping names where one of the two controls inherits it; null where it names both. */
                    via: string | null;
                }[];
            };
            /**
             * @description Whether those documents still show it; null without documents. A control that is done on stale evidence needs a newer document.
             * @enum {string|null}
             */
            evidence_state: "FRESH" | "EXPIRING" | "STALE" | null;
            /**
             * Format: date-time
             * @description When it was last changed; null when it never was.
             */
            updated_at: string | null;
            /** @description What the source asks for, in its own words, where an import has it; null otherwise. */
            text: string | null;
        };
        OrganizationControlEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationControl"];
        };
        OrganizationControlListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationControl"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        OrganizationEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Organization"];
        };
        OrganizationListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Organization"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A user as a member of one organization. */
        OrganizationMember: {
            /**
             * Format: uuid
             * @description The UUID of the user, which REST calls `id`.
             */
            id: string;
            /** @description User name. */
            username: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description First name. Empty when there is none. */
            first_name: string;
            /** @description Last name. Empty when there is none. */
            last_name: string;
            /**
             * @description What the user is in this organization.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description Which alerts the user wants from this organization. */
            alerts: components["schemas"]["Alerts"];
            /** @description Whether the member has access; a deactivated one keeps its place without it. */
            active: boolean;
            /**
             * Format: date-time
             * @description Since when the user belongs to the organization.
             */
            joined_at: string;
            /**
             * Format: date-time
             * @description Since when it is deactivated; null while it is not.
             */
            deactivated_at: string | null;
            /** @description What the caller may do to the member. */
            viewer_can: {
                /** @description The roles that the caller may give to the member; empty when it may not change its role. */
                assign_roles: ("AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER")[];
                /** @description Deactivate and reactivate it. */
                set_active: boolean;
                /** @description Remove it from the organization. */
                remove: boolean;
            };
        };
        OrganizationMemberEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationMember"];
        };
        /** @description An organization of the caller with the figures that matter first. */
        OrganizationOverview: {
            /** @description The organization. */
            organization: components["schemas"]["OrganizationSummary"];
            /**
             * @description The role of the caller in it.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description The progress of all of its workflows together. */
            progress: components["schemas"]["WorkflowProgress"];
            /**
             * Format: int32
             * @description Controls whose due date has passed where the organization is while they are neither done nor left out.
             */
            overdue_controls: number;
            /** @description Its incidents by status. */
            incidents: {
                /**
                 * Format: int32
                 * @description Those that are OPEN.
                 */
                open: number;
                /**
                 * Format: int32
                 * @description Those that are CONTAINED.
                 */
                contained: number;
                /**
                 * Format: int32
                 * @description Those that are RESOLVED.
                 */
                resolved: number;
                /**
                 * Format: int32
                 * @description Those that are CLOSED.
                 */
                closed: number;
                /**
                 * Format: int32
                 * @description Those that are not closed and have a report that is OVERDUE, of 50 open ones.
                 */
                overdue: number;
            };
            /** @description The report with the earliest deadline that is owed, also one that has passed; null when none is owed. Of each organization 50 open incidents are looked at: significant ones first, then the newest. */
            next_deadline: components["schemas"]["ReportDeadline"] | null;
            /**
             * Format: int32
             * @description Devices that are down; null where the caller is not an ORGANIZATION_MANAGER.
             */
            devices_down: number | null;
        };
        OrganizationOverviewListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationOverview"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A tenant with its profile. Of what was never given, there is none. */
        OrganizationPrivileges: {
            /**
             * @description What the caller is in it.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description The privileges of the caller in the organization, with the token of this request: also what it may read. */
            privileges: ("READ_ORGANIZATION" | "READ_WORKFLOWS" | "READ_DOCUMENTS" | "READ_INCIDENTS" | "READ_BRANDING" | "LEAVE_ORGANIZATION" | "SET_OWN_ALERTS" | "UPLOAD_DOCUMENTS" | "EDIT_INCIDENTS" | "ATTACH_FILES" | "SET_CONTROL_STATUS" | "LIST_MEMBERS" | "DELETE_EVIDENCE" | "CORRECT_REPORTS" | "REOPEN_INCIDENTS" | "READ_AUDIT_TRAIL" | "READ_REPORTS" | "READ_DEVICES" | "MANAGE_DEVICES" | "REPORT_CHECKS" | "MANAGE_WORKFLOWS" | "MANAGE_BRANDING" | "MANAGE_SETTINGS" | "READ_WEBHOOKS" | "MANAGE_WEBHOOKS" | "MANAGE_MEMBERS" | "READ_IDENTITY_PROVIDERS" | "READ_SCIM" | "LIST_INVITATIONS" | "LIST_SERVICE_ACCOUNTS" | "MANAGE_SCIM" | "MANAGE_SERVICE_ACCOUNTS" | "READ_ENGAGEMENTS" | "ANSWER_REQUESTS" | "MANAGE_ENGAGEMENTS" | "MANAGE_OWNERS" | "LIST_TOKENS" | "BLOCK_TOKENS" | "TRANSFER_ORGANIZATION" | "DELETE_ORGANIZATION" | "RESTORE_ORGANIZATION" | "MANAGE_IDENTITY_PROVIDERS" | "SET_AUDIT_RETENTION")[];
        };
        OrganizationPrivilegesEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationPrivileges"];
        };
        /** @description What an organization decides for itself. */
        OrganizationSettings: {
            /** @description IANA name of the time zone in which its days and weeks begin, such as `Europe/Rome`; `UTC` at first. */
            time_zone: string;
            /** @description Tag of the language (BCP 47) in which mails, reports and notifications are written to it, and to members who have chosen none, such as `it`; `en` at first. */
            language: string;
            /** @description ISO 3166-1 alpha-2 code of the country whose law applies to it, such as `IT`; null, as at first, where none is given. Reporting regimes depend on it. */
            country: string | null;
            /** @description Whether it provides trust services (Regulation (EU) 910/2014); false at first. */
            trust_service_provider: boolean;
            /**
             * Format: int32
             * @description Weekday on which the weekly report goes out: 1 is Monday, 7 is Sunday (ISO 8601); 1 at first.
             */
            report_weekday: number;
            /** @description Whether a token may come as a query parameter to what belongs to the organization; true at first. */
            query_token_allowed: boolean;
            /**
             * Format: int32
             * @description Days after which entries of the audit trail are removed; null, as at first, keeps them.
             */
            audit_retention_days: number | null;
            /**
             * Format: date
             * @description First day on which it has to report under NIS 2, where its law gives it one of its own, as in Italy nine months after the notice of listing; null, as at first, without one.
             */
            nis2_reporting_from: string | null;
        };
        OrganizationSettingsEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationSettings"];
        };
        /** @description A tenant with its profile. Of what was never given, there is none. */
        OrganizationSummary: {
            /**
             * Format: int64
             * @description The number that addresses of the REST interface carry.
             */
            id: number;
            /** @description Common name. */
            name: string;
            /** @description Full URL of the logo file. Empty when there is none. */
            logo: string;
        };
        /** @description A user as a member of one organization. */
        OrganizationUser: {
            /**
             * Format: uuid
             * @description The UUID of the user, which REST calls `id`.
             */
            id: string;
            /** @description User name. */
            username: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description First name. Empty when there is none. */
            first_name: string;
            /** @description Last name. Empty when there is none. */
            last_name: string;
            /**
             * @description What the user is in this organization.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description Which alerts the user wants from this organization. */
            alerts: {
                /** @description Alerts of threat-blocker devices. */
                atb: boolean;
                /** @description Alerts of edge-protection devices. */
                cloud_defender: boolean;
                /** @description Alerts of workflows, documents and incidents. */
                v_ciso: boolean;
            };
        };
        OrganizationUserListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationUser"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A workflow that is associated with an organization. */
        OrganizationWorkflow: {
            /** @description Id of the workflow in the catalogue. */
            id: string;
            /** @description Name of the workflow. */
            name: string;
            /**
             * Format: date-time
             * @description When it was associated with the organization.
             */
            associated_at: string;
            /** @description How far the organization is. */
            progress: components["schemas"]["WorkflowProgress"];
            /**
             * Format: int32
             * @description How many controls are done on stale evidence: they need a newer document.
             */
            stale_evidence: number;
        };
        OrganizationWorkflowEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationWorkflow"];
        };
        OrganizationWorkflowListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["OrganizationWorkflow"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A workflow of the organization’s own that is to be imported, in the forms and with the limits of an import. Nothing is stored. */
        PreviewWorkflowImportInput: {
            /** @description The whole workflow or mapping as YAML or JSON, or a library of CISO Assistant. */
            text?: string | null;
            /** @description An OSCAL catalog, or a profile resolved to one: what its file (JSON) has under `catalog`. `text` and `file` may also have the whole of such a file. */
            catalog?: {
                [key: string]: unknown;
            } | null;
            /** @description An OSCAL profile: what its file (JSON) has under `profile`, with the catalog that it imports as `catalog`, unless that is a workflow of the catalogue. */
            profile?: {
                [key: string]: unknown;
            } | null;
            /** @description What to store it by: small letters, digits and hyphens, 64 at most. Required among the fields; beside an OSCAL catalog its title when absent, and beside a library the end of its address. */
            id?: string | null;
            /** @description Its name. Required among the fields of a workflow. */
            name?: string | null;
            /** @description Edition of the source, as the file has it. Required among the fields of a workflow. */
            version?: string | null;
            /**
             * @description `framework` (when absent) or `task-set`.
             * @enum {string|null}
             */
            kind?: "framework" | "task-set" | null;
            /** @description Where it comes from. Required among the fields. */
            source?: components["schemas"]["WorkflowSourceInput"] | null;
            /** @description Under which terms it is used. Required among the fields. */
            licence?: string | null;
            /** @description What a reader should know about it. */
            remarks?: string | null;
            /** @description Its controls and tasks in reading order. Required among the fields of a workflow. 2,000 items at most. */
            controls?: components["schemas"]["WorkflowControlInput"][] | null;
        };
        /** @description Who calls with a token: a person, or a service account. */
        Profile: {
            /**
             * Format: uuid
             * @description The UUID of the user.
             */
            id: string;
            /** @description User name; what uploads carry as their creator. */
            username: string;
            /**
             * Format: email
             * @description E-mail address, in lower case; service accounts have none. Empty when there is none.
             */
            email: string;
            /** @description First name, or the name of a service account. Empty when there is none. */
            first_name: string;
            /** @description Last name. Empty when there is none. */
            last_name: string;
            /** @description Tag of the language (BCP 47) in which mails and notifications are written to the user, such as `it`; null is the language of each organization. */
            language: string | null;
            /**
             * Format: date-time
             * @description When the user was created.
             */
            created_at: string;
        };
        ProfileEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Profile"];
        };
        /** @description How far an organization was with a workflow at the end of a day of its own time zone. */
        ProgressDay: {
            /**
             * Format: date
             * @description The day.
             */
            day: string;
            /**
             * Format: int32
             * @description All controls and tasks: the sum of the four others.
             */
            total: number;
            /**
             * Format: int32
             * @description Those not begun.
             */
            to_do: number;
            /**
             * Format: int32
             * @description Those under way.
             */
            in_progress: number;
            /**
             * Format: int32
             * @description Those done.
             */
            done: number;
            /**
             * Format: int32
             * @description Those that do not apply.
             */
            not_applicable: number;
        };
        ProgressDayListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ProgressDay"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A report that was sent to an authority or to people, or need not be. */
        RecordIncidentReportInput: {
            /** @description The regime that asks for it, such as `nis2`. 1 to 200 characters after trimming. */
            regime_id: string;
            /** @description The reference number that the authority gave. 200 characters at most. */
            reference?: string | null;
            /**
             * Format: int64
             * @description The copy of what was sent: an attachment of the incident.
             */
            attachment_id?: number | null;
            /**
             * @description Which report; those before it have to be recorded first, or with it.
             * @enum {string}
             */
            stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            /** @description Reports before it that were sent in one with it, where `mayInclude` of the stage names them: each is recorded as well. 6 items at most. */
            includes?: ("EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION")[] | null;
            /** @description That it was not sent, because an earlier report had said all that it would say: where `alreadyProvided` of the stage names the provision, with a `reason` and without `sentAt`. */
            already_provided?: boolean | null;
            /** @description That it is not due in this case: where `notDue` of the stage names the provision, with the reasons in `reason` and without `sentAt`. Requires SECURITY_OFFICER. */
            not_due?: boolean | null;
            /** @description Which report had said it, or why it is not due: required with `alreadyProvided` and `notDue`, and only then. 1 to 1,000 characters after trimming. */
            reason?: string | null;
            /**
             * Format: date-time
             * @description When it was sent: not in the future, not before the report that precedes it. Now when absent.
             */
            sent_at?: string | null;
            /** @description To whom it was sent; the recipient that the regime names when absent. 200 characters at most. */
            recipient?: string | null;
        };
        /** @description The link of a mail. */
        RecoverTokenInput: {
            /** @description The secret of the link; it begins with `rec_`. */
            secret: string;
        };
        /** @description What a webhook endpoint is to be sent that it has missed. */
        RecoverWebhooksInput: {
            /**
             * Format: date-time
             * @description Events since then; within the last 30 days.
             */
            since: string;
        };
        /** @description The result of `recoverToken`. */
        RecoveredToken: {
            /** @description The new token, with the scopes `READ` and `WRITE`. It is shown here once. */
            token: string;
            /**
             * Format: date-time
             * @description From when on it is refused.
             */
            token_expires_at: string;
            /** @description The UUID of its user. */
            user_id: string;
            /** @description The name of the user. */
            username: string;
            /** @description The e-mail address of the user. */
            email: string;
        };
        RecoveredTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["RecoveredToken"];
        };
        /** @description The incident to judge by the facts of its organization as they are now. */
        RejudgeIncidentInput: {
            /** @description Why the facts as of awareness are not the right ones. 1 to 1,000 characters after trimming. */
            reason: string;
        };
        /** @description Reports of an edge protection. */
        ReportCloudDefenderCheckInput: {
            /** @description Its reports, in any order. 1 to 100 items. */
            reports: components["schemas"]["CloudDefenderReportInput"][] | components["schemas"]["CloudDefenderReportInput"];
        };
        /** @description The report that an organization has to send next. */
        ReportDeadline: {
            /** @description The incident that it is about. */
            incident: {
                /**
                 * Format: int64
                 * @description The number that addresses of the REST interface carry.
                 */
                id: number;
                /** @description What happened, in a few words. */
                title: string;
            };
            /** @description The regime that asks for it, such as `nis2`, `nis2-it` or `gdpr`. */
            regime_id: string;
            /** @description Name of the regime. */
            regime_name: string;
            /**
             * @description Which report.
             * @enum {string}
             */
            stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            /**
             * Format: int32
             * @description Counts the reports of one stage from 1.
             */
            number: number;
            /**
             * Format: date-time
             * @description When it is due.
             */
            due_at: string;
            /**
             * @description PENDING, DUE_SOON or OVERDUE.
             * @enum {string}
             */
            state: "PENDING" | "DUE_SOON" | "SENT" | "OVERDUE" | "NOT_REQUIRED" | "TO_BE_DECIDED";
        };
        /** @description Reports of a threat blocker that knows nothing of itself but its key. */
        ReportThreatBlockerCheckByKeyInput: {
            /**
             * Format: uuid
             * @description The key of its configuration, a UUID.
             */
            atb_key: string;
            /** @description Its reports, in any order. 1 to 100 items. */
            reports: components["schemas"]["ThreatBlockerReportInput"][] | components["schemas"]["ThreatBlockerReportInput"];
        };
        /** @description Reports of a threat blocker. */
        ReportThreatBlockerCheckInput: {
            /** @description Its reports, in any order. 1 to 100 items. */
            reports: components["schemas"]["ThreatBlockerReportInput"][] | components["schemas"]["ThreatBlockerReportInput"];
        };
        /** @description A law that asks for reports after an incident, in one version: another one has other days. */
        ReportingRegime: {
            /** @description Its id, such as `nis2`, `nis2-it` or `gdpr`. */
            regime_id: string;
            /** @description Its name. */
            name: string;
            /** @description The act and its article. */
            source: string;
            /** @description Address of the act. */
            source_url: string;
            /**
             * Format: date
             * @description First day on which awareness of an incident falls under it.
             */
            valid_from: string;
            /**
             * Format: date
             * @description The last such day; null while there is none.
             */
            valid_until: string | null;
            /**
             * Format: date
             * @description Day on which it was last compared with the act; null where that is not stated.
             */
            checked: string | null;
            /** @description The regime that does not apply where this one does. */
            replaces: string | null;
            /** @description Why it applies where it does. */
            reason: string;
            /** @description Which organizations it is for; null where it is for all. */
            scope: {
                /** @description What is said where none is met. */
                outside: string;
                /** @description It is for organizations that meet one of them. */
                alternatives: {
                    /** @description Each of them is met; the value `*` is any that the fact has. */
                    conditions: {
                        /** @description A fact of the incident or a setting of the organization, such as `significant` or `country`. */
                        fact: string;
                        /** @description One of these values is needed. */
                        values: string[];
                    }[];
                }[];
                /** @description It is not for organizations that meet one of these; may be empty. */
                exceptions: {
                    /** @description Each of them is met; the value `*` is any that the fact has. */
                    conditions: {
                        /** @description A fact of the incident or a setting of the organization, such as `significant` or `country`. */
                        fact: string;
                        /** @description One of these values is needed. */
                        values: string[];
                    }[];
                    /** @description Why it is not for them. */
                    reason: string;
                }[];
            } | null;
            /** @description A first day of the entity's own before which it does not apply; null without one. */
            begins: {
                /** @description The fact, such as `nis2_reporting_from`. */
                fact: string;
                /** @description Why the law has such a day; it follows "because". */
                reason: string;
            } | null;
            /** @description When it applies: each of these is met. */
            conditions: {
                /** @description A fact of the incident or a setting of the organization, such as `significant` or `country`. */
                fact: string;
                /** @description One of these values is needed. */
                values: string[];
            }[];
            /** @description Categories that an incident is reported under; may be empty. */
            categories: {
                /** @description Its name in the law, such as `IS-1`. */
                category: string;
                /** @description What falls under it. */
                label: string;
                /**
                 * @description The only entities that have it; null for all.
                 * @enum {string|null}
                 */
                entity: "important" | "essential" | null;
            }[];
            /** @description Its reports, in the order in which they are sent. */
            stages: {
                /**
                 * @description Which report.
                 * @enum {string}
                 */
                stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
                /**
                 * @description What it is counted from.
                 * @enum {string}
                 */
                trigger: "AWARE" | "CLASSIFIED" | "NOTIFIED" | "HANDLED" | "FIX_AVAILABLE" | "MONTHLY_WHILE_OPEN" | "REQUEST" | "WITHOUT_DELAY";
                /**
                 * @description The stage whose report it is counted from; null where it is counted from something else.
                 * @enum {string|null}
                 */
                after: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION" | null;
                /** @description How long it is, as an ISO 8601 duration such as `PT72H` or `P1M`; null where an authority gives it. */
                period: string | null;
                /**
                 * Format: int32
                 * @description How many hours after awareness it is due at the latest, unless what it is counted from comes later still; null where there is no such limit.
                 */
                latest_aware_hours: number | null;
                /**
                 * Format: int32
                 * @description How many monthly reports at most; null where there is no such limit.
                 */
                at_most: number | null;
                /** @description Whether updates of it may follow, which have no deadline. */
                updates: boolean;
                /** @description To whom it is sent. */
                recipient: string;
                /**
                 * @description Whether it goes to an authority, or to people: those may be informed at any time, and no other report waits for it.
                 * @enum {string}
                 */
                addressee: "AUTHORITY" | "PEOPLE";
                /** @description When it is asked for, where a person decides that; null where it always is. */
                only_where: string | null;
                /** @description Reports before it that may be sent in one with it; may be empty. */
                may_include: ("EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION")[];
                /** @description The provision by which it need not be sent where what it asks for was provided already; null where there is none. */
                already_provided: string | null;
                /** @description The provision by which it is not due in some cases, which is then recorded with the reasons; null where there is none. */
                not_due: string | null;
                /** @description What the law asks for in it. */
                fields: {
                    /** @description Its name among the fields of the report. */
                    key: string;
                    /** @description What is asked for. */
                    label: string;
                    /**
                     * @description Where a draft takes it from.
                     * @enum {string}
                     */
                    source: "INCIDENT" | "ORGANIZATION" | "NOTES" | "REPORTS" | "PERSON";
                    /** @description The provision that asks for it; null where none does. */
                    law: string | null;
                    /** @description Whether it is asked for only where it applies or is known. */
                    optional: boolean;
                }[];
                /** @description Until when it may be sent where the deadline is on a Saturday, a Sunday or a public holiday; null where it may not. */
                next_working_day: {
                    /** @description Time of the next working day in the zone of the organization, such as `12:00`. */
                    until: string;
                    /** @description The provision. */
                    law: string;
                } | null;
                /** @description Other deadlines; the first whose conditions are met holds. */
                derogations: {
                    /**
                     * @description What it is counted from.
                     * @enum {string}
                     */
                    trigger: "AWARE" | "CLASSIFIED" | "NOTIFIED" | "HANDLED" | "FIX_AVAILABLE" | "MONTHLY_WHILE_OPEN" | "REQUEST" | "WITHOUT_DELAY";
                    /**
                     * @description The stage whose report it is counted from; null where it is counted from something else.
                     * @enum {string|null}
                     */
                    after: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION" | null;
                    /** @description How long it is, as an ISO 8601 duration such as `PT72H` or `P1M`; null where an authority gives it. */
                    period: string | null;
                    /**
                     * Format: int32
                     * @description How many hours after awareness it is due at the latest, unless what it is counted from comes later still; null where there is no such limit.
                     */
                    latest_aware_hours: number | null;
                    /** @description Why it replaces the other. */
                    reason: string;
                    /** @description When it replaces the other: each of these is met. */
                    conditions: {
                        /** @description A fact of the incident or a setting of the organization, such as `significant` or `country`. */
                        fact: string;
                        /** @description One of these values is needed. */
                        values: string[];
                    }[];
                    /** @description Until when it may be sent where the deadline is on a Saturday, a Sunday or a public holiday; null where it may not. */
                    next_working_day: {
                        /** @description Time of the next working day in the zone of the organization, such as `12:00`. */
                        until: string;
                        /** @description The provision. */
                        law: string;
                    } | null;
                }[];
            }[];
            /** @description Recipient, portal and act by country; may be empty. */
            national: {
                /** @description ISO 3166-1 alpha-2 code of the country: the setting of the organization. */
                country: string;
                /**
                 * Format: date
                 * @description First day on which awareness of an incident falls under it.
                 */
                valid_from: string;
                /** @description Name of the regime there. */
                name: string;
                /** @description The act, and what differs in it; or that the country has none, and whose deadlines are shown. */
                source: string;
                /** @description Address of the act. */
                source_url: string;
                /** @description The authority that reports are sent to. */
                recipient: string;
                /** @description Address of the portal where they are sent; null where none is known. */
                portal_url: string | null;
                /** @description What to know before reporting there. */
                remarks: string | null;
                /**
                 * Format: date
                 * @description When it was checked.
                 */
                checked_on: string;
                /** @description What was read when it was checked, and what was not. */
                checked: string;
            }[];
        };
        ReportingRegimeListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ReportingRegime"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description Evidence to ask for. */
        RequestEvidenceInput: {
            /** @description The workflow. */
            workflow_id: string;
            /** @description The control. */
            control_id: string;
            /** @description What is asked for. 1 to 2,000 characters after trimming. */
            text: string;
        };
        /** @description A request for a link that makes a new token. */
        RequestTokenRecoveryInput: {
            /**
             * Format: email
             * @description The e-mail address of the user, in any case. 254 characters at most.
             */
            email: string;
        };
        /** @description The result of `requestTokenRecovery`. */
        RequestedTokenRecovery: {
            /** @description Always true: if the address is the verified one of a user, a mail is on its way. */
            accepted: boolean;
            /**
             * Format: int32
             * @description Minutes in which the link of the mail can be used.
             */
            link_minutes: number;
        };
        RequestedTokenRecoveryEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["RequestedTokenRecovery"];
        };
        /** @description An open control of a workflow, with the documents of other workflows that cover it. */
        ReuseSuggestion: {
            /** @description Number of the control in its source, such as `A.5.1`. */
            id: string;
            /** @description Label of the control. */
            label: string;
            /**
             * @description How far the organization is: not begun, or under way.
             * @enum {string}
             */
            status: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
            /** @description The newest version of each control of other workflows that is mapped to it. */
            documents: {
                /** @description `controlId` of the heading that the mapping names where one of the two controls inherits it; null where it names both. */
                via: string | null;
                /** @description The document, with the workflow and the control it was uploaded to. */
                version: components["schemas"]["Document"];
            }[];
        };
        ReuseSuggestionListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ReuseSuggestion"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description One step of the ladder of roles. */
        RoleDescription: {
            /**
             * @description The role.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /**
             * Format: int32
             * @description Its rank, from 0 (lowest) to 5.
             */
            rank: number;
            /** @description All its privileges, those of lower ranks included. */
            privileges: ("READ_ORGANIZATION" | "READ_WORKFLOWS" | "READ_DOCUMENTS" | "READ_INCIDENTS" | "READ_BRANDING" | "LEAVE_ORGANIZATION" | "SET_OWN_ALERTS" | "UPLOAD_DOCUMENTS" | "EDIT_INCIDENTS" | "ATTACH_FILES" | "SET_CONTROL_STATUS" | "LIST_MEMBERS" | "DELETE_EVIDENCE" | "CORRECT_REPORTS" | "REOPEN_INCIDENTS" | "READ_AUDIT_TRAIL" | "READ_REPORTS" | "READ_DEVICES" | "MANAGE_DEVICES" | "REPORT_CHECKS" | "MANAGE_WORKFLOWS" | "MANAGE_BRANDING" | "MANAGE_SETTINGS" | "READ_WEBHOOKS" | "MANAGE_WEBHOOKS" | "MANAGE_MEMBERS" | "READ_IDENTITY_PROVIDERS" | "READ_SCIM" | "LIST_INVITATIONS" | "LIST_SERVICE_ACCOUNTS" | "MANAGE_SCIM" | "MANAGE_SERVICE_ACCOUNTS" | "READ_ENGAGEMENTS" | "ANSWER_REQUESTS" | "MANAGE_ENGAGEMENTS" | "MANAGE_OWNERS" | "LIST_TOKENS" | "BLOCK_TOKENS" | "TRANSFER_ORGANIZATION" | "DELETE_ORGANIZATION" | "RESTORE_ORGANIZATION" | "MANAGE_IDENTITY_PROVIDERS" | "SET_AUDIT_RETENTION")[];
        };
        /** @description A token of the caller to put a new one in the place of. */
        RotateApiTokenInput: {
            /**
             * Format: int32
             * @description Hours that the old token goes on, unless it ends sooner; 24 when absent. 0 to 168.
             */
            grace_hours?: number | null;
            /**
             * Format: date-time
             * @description When the new token ends: after as long as the old one was made for when absent, in 365 days at most.
             */
            expires_at?: string | null;
        };
        /** @description A token of a service account to put a new one in the place of. */
        RotateServiceAccountTokenInput: {
            /**
             * Format: int32
             * @description Hours that the old token goes on, unless it ends sooner; 24 when absent. 0 to 168.
             */
            grace_hours?: number | null;
            /**
             * Format: date-time
             * @description When the new token ends: after as long as the old one was made for when absent, in 365 days at most.
             */
            expires_at?: string | null;
        };
        /** @description The result of `rotateApiToken`. */
        RotatedApiToken: {
            /** @description The new token. It is shown here once and kept nowhere. */
            token: string;
            /** @description What is known of the new token. */
            api_token: components["schemas"]["ApiToken"];
            /** @description The old token, which goes on until its new `expiresAt`. */
            replaced: components["schemas"]["ApiToken"];
        };
        RotatedApiTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["RotatedApiToken"];
        };
        /** @description The result of `rotateServiceAccountToken`. */
        RotatedServiceAccountToken: {
            /** @description The new token. It is shown here once and kept nowhere. */
            token: string;
            /** @description What is known of the new token. */
            service_account_token: components["schemas"]["ServiceAccountToken"];
            /** @description The old token, which goes on until its new `expiresAt`. */
            replaced: components["schemas"]["ServiceAccountToken"];
        };
        RotatedServiceAccountTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["RotatedServiceAccountToken"];
        };
        /** @description The result of `rotateWebhookSecret`. */
        RotatedWebhookEndpoint: {
            /** @description The new secret. It is shown here once. */
            secret: string;
            /** @description The endpoint as it is now. */
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        RotatedWebhookEndpointEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["RotatedWebhookEndpoint"];
        };
        /** @description What a directory such as Entra ID may do in an organization by SCIM 2.0. */
        ScimSettings: {
            /** @description Whether SCIM is switched on; false at first. Without it no token of a directory is taken. */
            enabled: boolean;
            /**
             * @description The role of people whose groups have none; VIEWER at first.
             * @enum {string}
             */
            default_role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description The roles that groups give. The highest one counts. */
            group_roles: {
                /** @description The group, as the claim or the directory names it. */
                group: string;
                /**
                 * @description The role.
                 * @enum {string}
                 */
                role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            }[];
            /** @description Whether members who came in otherwise are linked when the directory names them; false at first. Owners never are. */
            link_members: boolean;
            /** @description The address to enter in the directory. */
            url: string;
            /**
             * Format: date-time
             * @description When they were changed last; null while they never were.
             */
            updated_at: string | null;
        };
        ScimSettingsEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ScimSettings"];
        };
        /** @description A token of a directory: it reaches SCIM of its organization and nothing else. */
        ScimToken: {
            /**
             * Format: int64
             * @description What to revoke it by.
             */
            id: number;
            /** @description What it is called; the audit trail names the directory so. */
            name: string;
            /** @description The first characters of the token, to distinguish tokens. */
            prefix: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when on it is refused.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, exact to the minute; null when it never was.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null while it was not.
             */
            revoked_at: string | null;
        };
        ScimTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ScimToken"];
        };
        ScimTokenListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ScimToken"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description Something that a search has found. */
        SearchResult: {
            /**
             * @description What was found.
             * @enum {string}
             */
            type: "ORGANIZATION" | "MEMBER" | "CONTROL" | "DOCUMENT" | "INCIDENT" | "NOTIFICATION";
            /** @description The id of what was found, as its own type has it; of a member, the user. */
            id: string;
            /** @description What it is called. */
            title: string;
            /** @description Part of its text on one line, around what was found where it is in it. Empty when there is none. */
            snippet: string;
            /** @description Relative link to it, where there is something to open. Empty when there is none. */
            href: string;
            /** @description The organization that it belongs to. */
            organization: components["schemas"]["OrganizationSummary"];
        };
        SearchResultListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["SearchResult"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /**
         * @description A sector, in exact spelling.
         * @enum {string}
         */
        Sector: "Agriculture" | "Arts & Entertainment" | "Business Services" | "Construction" | "Consumer Discretionary" | "Consumer Staples" | "Cybersecurity & Compliance Services" | "Education" | "Energy" | "Financials" | "Health Care" | "Hospitality & Tourism" | "Information Technology" | "Manufacturing" | "Materials" | "Media" | "Professional Services" | "Public Sector" | "Real Estate" | "Retail" | "Science & Technology" | "Telecommunications" | "Transportation" | "Utilities" | "Wholesale & Distribution";
        /** @description A caller that belongs to an organization and not to a person: it goes on when the person who made it leaves. */
        ServiceAccount: {
            /** @description The UUID of the service account, which audit trails have as its user id. */
            id: string;
            /** @description What uploads and incidents carry as their creator; it never changes. No name of a person has a colon. */
            username: string;
            /** @description What it is called. */
            name: string;
            /** @description What it is for. Empty when there is none. */
            description: string;
            /**
             * @description What it may do in the organization, and nowhere else.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description The member who answers for it; null when that membership has ended and no other was named. */
            responsible: {
                /** @description Id of the user. */
                user_id: string;
                /** @description User name. */
                username: string;
                /** @description First name. Empty when there is none. */
                first_name: string;
                /** @description Last name. Empty when there is none. */
                last_name: string;
            } | null;
            /** @description Who created it; null when that user is gone. User name at that time. */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When one of its tokens was last used, exact to the minute; null when none ever was.
             */
            last_used_at: string | null;
            /** @description What the caller may do with it. */
            viewer_can: {
                /** @description Change it. */
                update: boolean;
                /** @description Delete it. */
                delete: boolean;
                /** @description Make, rotate and revoke its tokens. */
                manage_tokens: boolean;
            };
        };
        ServiceAccountEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ServiceAccount"];
        };
        ServiceAccountListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ServiceAccount"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A token of a service account, as those who manage it see it. */
        ServiceAccountToken: {
            /**
             * Format: int64
             * @description What to revoke it by.
             */
            id: number;
            /** @description What it is called. */
            name: string;
            /** @description The first characters of the token, to distinguish tokens. */
            prefix: string;
            /** @description What the token may be used for. */
            scopes: ("READ" | "WRITE" | "TELEMETRY")[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From when on it is refused.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was last used, exact to the minute; null when it never was.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null while it was not.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When a new token took its place by a rotation; null while none did.
             */
            replaced_at: string | null;
            /** @description Addresses and networks that it may be used from; empty is from anywhere. */
            allowed_ips: string[];
        };
        ServiceAccountTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ServiceAccountToken"];
        };
        ServiceAccountTokenListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ServiceAccountToken"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description Exactly one part. */
        SetOrganizationLogoForm: {
            /**
             * Format: binary
             * @description The logo: PNG, JPEG or WebP, 1 MB at most.
             */
            logo: string;
        };
        /** @description The result of `exchangeSignInCode`. */
        SignInToken: {
            /** @description The token, with the scopes `READ` and `WRITE`. It is shown here once. */
            token: string;
            /**
             * Format: date-time
             * @description From when on it is refused: after eight hours.
             */
            token_expires_at: string;
            /** @description The UUID of its user. */
            user_id: string;
            /**
             * Format: int64
             * @description The one organization that it reaches.
             */
            organization_id: number;
        };
        SignInTokenEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["SignInToken"];
        };
        /** @description What an auditor states about a workflow or a control. */
        SignOff: {
            /**
             * Format: int64
             * @description Its number.
             */
            id: number;
            /** @description The workflow. */
            workflow_id: string;
            /** @description The control; null for the workflow as a whole. */
            control_id: string | null;
            /** @description The statement. */
            statement: string;
            /** @description The auditor. User name at that time. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        SignOffEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["SignOff"];
        };
        /** @description A statement of an auditor. */
        SignOffInput: {
            /** @description The workflow. */
            workflow_id: string;
            /** @description The control; the workflow as a whole when absent. */
            control_id?: string | null;
            /** @description The statement, which is never changed. 1 to 2,000 characters after trimming. */
            statement: string;
        };
        SignOffListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["SignOff"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description The answer to a question of significance. */
        SignificanceAnswerInput: {
            /** @description Which question, such as `7-a`. 1 to 64 characters after trimming. */
            question: string;
            /** @description Whether it is so. */
            answer: boolean;
        };
        /** @description The questions whose answers say whether an incident is significant. */
        SignificanceQuestions: {
            /** @description The services that the organization may provide, by its profile at the time of awareness. */
            services: {
                /** @description Its id, such as `cloud`; `other` is any that no act has criteria of its own for. */
                service: string;
                /** @description What it is. */
                label: string;
            }[];
            /** @description The questions about these services. */
            questions: {
                /** @description Its id, such as `7-a`. */
                question: string;
                /** @description What is asked. */
                text: string;
                /** @description The act that has the criterion. */
                act: string;
                /** @description The provision of the act. */
                article: string;
                /** @description Address of the act. */
                source_url: string;
                /** @description It is asked where the incident concerns one of these services. */
                services: string[];
                /** @description Questions of an act with the same word are one criterion, which is met where the answer to each is yes; null for one of its own. */
                together: string | null;
                /** @description Whether yes means that the incident is not significant: no other answer can be yes then. */
                exempts: boolean;
            }[];
        };
        SignificanceQuestionsEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["SignificanceQuestions"];
        };
        /** @description Threat-blocker configuration of an organization. */
        ThreatBlocker: {
            /**
             * Format: int64
             * @description The number that addresses of the REST interface carry.
             */
            id: number;
            /** @description The organization that has the configuration. */
            organization: components["schemas"]["OrganizationSummary"];
            /**
             * Format: uuid
             * @description Key of the configuration, a UUID.
             */
            atb_key: string;
            /** @description Kind of configuration. */
            type: string;
            /** @description Contact e-mail of the configuration. */
            email: string;
            /** @description What the device reported. */
            check: {
                /** @description The newest report; before the first one zeros, and the time when the device was created. */
                stat: components["schemas"]["ThreatBlockerStat"];
                /**
                 * Format: int32
                 * @description Overall state.
                 * @enum {integer}
                 */
                status: 0 | 1 | 2 | 3;
                /** @description Its reports of web traffic, oldest first. */
                web_stat: components["schemas"]["WebStat"][];
                /** @description Its traffic by buckets of time, oldest first. */
                chart_stat: components["schemas"]["ChartStat"][];
            };
            /** @description The plug-in that the device runs. */
            plugin: {
                /** @description Name of the plug-in. Empty when there is none. */
                name: string;
                /** @description Its configuration, key for key as the customer wrote it. */
                config: {
                    [key: string]: unknown;
                };
            };
            /** @description IP address of the endpoint. */
            endpoint: string;
            /** @description Private IP address; REST calls it `privateIP`. Empty when there is none. */
            privateIP: string;
            /** @description Enabled service names. */
            services: string[];
            /** @description Device identifier. Empty when there is none. */
            device_id: string;
        };
        ThreatBlockerEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ThreatBlocker"];
        };
        /** @description Threat-blocker configuration of an organization. */
        ThreatBlockerItem: {
            /**
             * Format: int64
             * @description The number that addresses of the REST interface carry.
             */
            id: number;
            /** @description The organization that has the configuration. */
            organization: components["schemas"]["OrganizationSummary"];
            /**
             * Format: uuid
             * @description Key of the configuration, a UUID.
             */
            atb_key: string;
            /** @description Kind of configuration. */
            type: string;
            /** @description Contact e-mail of the configuration. */
            email: string;
            /** @description What the device reported. */
            check: {
                /** @description The newest report; before the first one zeros, and the time when the device was created. */
                stat: components["schemas"]["ThreatBlockerStat"];
                /**
                 * Format: int32
                 * @description Overall state.
                 * @enum {integer}
                 */
                status: 0 | 1 | 2 | 3;
            };
            /** @description The plug-in that the device runs. */
            plugin: {
                /** @description Name of the plug-in. Empty when there is none. */
                name: string;
                /** @description Its configuration, key for key as the customer wrote it. */
                config: {
                    [key: string]: unknown;
                };
            };
            /** @description IP address of the endpoint. */
            endpoint: string;
            /** @description Private IP address; REST calls it `privateIP`. Empty when there is none. */
            privateIP: string;
            /** @description Enabled service names. */
            services: string[];
            /** @description Device identifier. Empty when there is none. */
            device_id: string;
        };
        ThreatBlockerItemListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ThreatBlocker"][] | components["schemas"]["ThreatBlockerItem"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description The plug-in of a threat blocker. */
        ThreatBlockerPluginInput: {
            /** @description Name of the plug-in. 64 characters at most. */
            name?: string | null;
            /** @description Its configuration, stored key for key. 64 KB and 20 levels at most. */
            config?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description What a threat blocker reported in one bucket of time; zeros where it reported nothing. */
        ThreatBlockerPoint: {
            /**
             * Format: date-time
             * @description Begin of the bucket.
             */
            begin: string;
            /**
             * Format: int32
             * @description How many reports there are.
             */
            reports: number;
            /**
             * Format: int32
             * @description The worst state that a report of the bucket has.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3;
            /**
             * Format: int64
             * @description Requests that the web application firewall stopped: a whole number.
             */
            waf_protection: number;
            /**
             * Format: int64
             * @description All requests that the device looked after: a whole number.
             */
            total_managed_requests: number;
            /**
             * Format: int64
             * @description Requests of the `chart_stat` whose own buckets begin in this one.
             */
            total_requests: number;
            /**
             * Format: int64
             * @description Those of them that were malicious.
             */
            malicious_requests: number;
        };
        /** @description What a threat blocker found at one moment. */
        ThreatBlockerReportInput: {
            /**
             * Format: date-time
             * @description The moment that it is of: at most 90 days ago, and at most five minutes ahead of our clock.
             */
            datetime: string;
            /** @description Web traffic, if there is any. */
            web_stat?: components["schemas"]["WebStatInput"] | null;
            /** @description The state of its parts. */
            stat: components["schemas"]["ThreatBlockerStatInput"];
            /** @description Its traffic by buckets. A bucket that still runs may be reported again by a later report. 48 items at most. */
            chart_stat?: components["schemas"]["ChartStatInput"][] | null;
        };
        /** @description What a device reported in whole buckets of time; reports are kept for 90 days at least. */
        ThreatBlockerSeries: {
            /**
             * Format: date-time
             * @description Begin of the first bucket.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last bucket.
             */
            to: string;
            /**
             * @description How long each bucket is.
             * @enum {string}
             */
            bucket: "HOUR" | "DAY";
            /** @description Every bucket, oldest first; 2,200 at most. */
            points: components["schemas"]["ThreatBlockerPoint"][];
        };
        ThreatBlockerSeriesEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["ThreatBlockerSeries"];
        };
        /** @description One report of a threat blocker: the state of each part. */
        ThreatBlockerStat: {
            /**
             * Format: int32
             * @description State of the VPN.
             * @enum {integer}
             */
            vpn: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the DNS block list.
             * @enum {integer}
             */
            dnsbl: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the list of IP addresses.
             * @enum {integer}
             */
            iplist: 0 | 1 | 2 | 3;
            /**
             * Format: date-time
             * @description When the device reported.
             */
            datetime: string;
        };
        /** @description State of each part. */
        ThreatBlockerStatInput: {
            /**
             * Format: int32
             * @description State of the VPN.
             * @enum {integer}
             */
            vpn: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the DNS block list.
             * @enum {integer}
             */
            dnsbl: 0 | 1 | 2 | 3;
            /**
             * Format: int32
             * @description State of the list of IP addresses.
             * @enum {integer}
             */
            iplist: 0 | 1 | 2 | 3;
        };
        /** @description An organization of the caller, with what the caller may do in it. */
        TokenOrganization: {
            /** @description The organization. */
            organization: components["schemas"]["OrganizationSummary"];
            /**
             * @description What the caller is in it.
             * @enum {string}
             */
            role: "AUDITOR" | "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
            /** @description The privileges of that role, as far as the scopes of the token allow them. */
            privileges: ("READ_ORGANIZATION" | "READ_WORKFLOWS" | "READ_DOCUMENTS" | "READ_INCIDENTS" | "READ_BRANDING" | "LEAVE_ORGANIZATION" | "SET_OWN_ALERTS" | "UPLOAD_DOCUMENTS" | "EDIT_INCIDENTS" | "ATTACH_FILES" | "SET_CONTROL_STATUS" | "LIST_MEMBERS" | "DELETE_EVIDENCE" | "CORRECT_REPORTS" | "REOPEN_INCIDENTS" | "READ_AUDIT_TRAIL" | "READ_REPORTS" | "READ_DEVICES" | "MANAGE_DEVICES" | "REPORT_CHECKS" | "MANAGE_WORKFLOWS" | "MANAGE_BRANDING" | "MANAGE_SETTINGS" | "READ_WEBHOOKS" | "MANAGE_WEBHOOKS" | "MANAGE_MEMBERS" | "READ_IDENTITY_PROVIDERS" | "READ_SCIM" | "LIST_INVITATIONS" | "LIST_SERVICE_ACCOUNTS" | "MANAGE_SCIM" | "MANAGE_SERVICE_ACCOUNTS" | "READ_ENGAGEMENTS" | "ANSWER_REQUESTS" | "MANAGE_ENGAGEMENTS" | "MANAGE_OWNERS" | "LIST_TOKENS" | "BLOCK_TOKENS" | "TRANSFER_ORGANIZATION" | "DELETE_ORGANIZATION" | "RESTORE_ORGANIZATION" | "MANAGE_IDENTITY_PROVIDERS" | "SET_AUDIT_RETENTION")[];
        };
        /** @description Who is to own an organization in the place of the caller. */
        TransferOwnershipInput: {
            /** @description A member of it: the id of the user. */
            user_id: string;
        };
        /** @description How much the caller has not read yet. */
        UnreadNotificationCount: {
            /**
             * Format: int32
             * @description Number of unread notifications.
             */
            count: number;
        };
        UnreadNotificationCountEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["UnreadNotificationCount"];
        };
        /** @description Which alerts the caller wants from an organization. What is absent stays as it is. */
        UpdateAlertsInput: {
            /** @description Alerts of threat-blocker devices. */
            atb?: boolean | null;
            /** @description Alerts of edge-protection devices. */
            cloud_defender?: boolean | null;
            /** @description Alerts of workflows, documents and incidents. */
            v_ciso?: boolean | null;
        };
        /** @description How an organization is to look. An absent field stays as it is, null is the default; both null is the default branding. */
        UpdateBrandingInput: {
            /** @description Palette name. 1 to 50 characters after trimming. */
            palette?: string | null;
            /** @description The three colours, replaced as a whole. */
            custom_colors?: components["schemas"]["CustomColorsInput"] | null;
        };
        /** @description Changes of an edge-protection configuration. What is absent stays as it is. */
        UpdateCloudDefenderInput: {
            /**
             * Format: email
             * @description Contact e-mail of the configuration; not null. 254 characters at most.
             */
            email?: string;
            /**
             * Format: hostname
             * @description Protected domain name, a hostname; not null. 253 characters at most.
             */
            fqdn?: string;
            /** @description IP address of the endpoint, IPv4 or IPv6; not null. 45 characters at most. */
            endpoint?: string;
            /** @description Names of all enabled services; null means none. 50 items at most, 1 to 64 characters each. */
            services?: string[] | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly organization?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly check?: unknown;
        };
        /** @description A control to change. An absent field stays as it is; null clears. */
        UpdateControlInput: {
            /**
             * @description How far the organization is; must not be null.
             * @enum {string}
             */
            status?: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
            /** @description Why it does not apply: required with `NOT_APPLICABLE`, and with no other status. 2,000 characters at most. */
            justification?: string | null;
            /** @description Why it was chosen, such as a risk, a law or a contract; for the statement of applicability. 2,000 characters at most. */
            inclusion_reason?: string | null;
            /** @description User id of the member who answers for it; must be an active one. */
            owner_id?: string | null;
            /**
             * Format: date
             * @description By which day it is to be done.
             */
            due_date?: string | null;
            /**
             * Format: int32
             * @description After how many months evidence without a last day of its own is stale; null means never. 1 to 120.
             */
            review_interval_months?: number | null;
            /** @description What the members should know of it. 5,000 characters at most. */
            note?: string | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly label?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly parent_id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly kind?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly position?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly owner?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly overdue?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly evidence?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly evidence_state?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly updated_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly text?: unknown;
        };
        /** @description Controls to change, all or none: `controlIds` with one set of `changes`, or `updates`. 200 controls at most, each named once. */
        UpdateControlsInput: {
            /** @description Controls that all change alike. 1 to 200 items. */
            control_ids?: string[] | null;
            /** @description What becomes of each of `controlIds`. */
            changes?: components["schemas"]["ControlChangeInput"] | null;
            /** @description Controls with what becomes of each. 1 to 200 items. */
            updates?: components["schemas"]["ControlUpdateInput"][] | null;
        };
        /** @description What to change of a document version. Absent leaves a field as it is, null empties it. */
        UpdateDocumentVersionInput: {
            /**
             * Format: date-time
             * @description When the evidence was true.
             */
            effective_at?: string | null;
            /**
             * Format: date
             * @description The last day on which it shows that the control is met.
             */
            valid_until?: string | null;
            /** @description What a reader should know of it. 2,000 characters at most. */
            note?: string | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly workflow_id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly artifact_id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly original_name?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly size?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly content_type?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly source?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly sha256?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_by?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly evidence_state?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly download_url?: unknown;
        };
        /** @description What an engagement is to be. What is absent stays as it is. */
        UpdateEngagementInput: {
            /** @description What to call it. 1 to 200 characters after trimming. */
            name?: string | null;
            /**
             * Format: date-time
             * @description When it ends; at once when that is not in the future.
             */
            until?: string | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly organization_id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly organization?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly workflows?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly from?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly to?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly auditors?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_by?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
        };
        /** @description An identity provider to change; what is absent stays as it is. */
        UpdateIdentityProviderInput: {
            /** @description The client secret; null or absent for a client without one. It is never shown again. In an update absent means that it stays, which another issuer does not allow. 1,000 characters at most. */
            client_secret?: string | null;
            /** @description Mail domains of the organization. Each new one has to be proven. 20 items at most, 253 characters at most each. */
            domains?: string[] | null;
            /** @description Whether the organization is reached by tokens of this provider alone. Other tokens of its members find it absent then. */
            required?: boolean | null;
            /**
             * @description The role of people who sign in and are no members yet; not ORGANIZATION_OWNER.
             * @enum {string|null}
             */
            default_role?: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER" | null;
            /** @description The claim that has the groups of a person. 1 to 200 characters after trimming. */
            groups_claim?: string | null;
            /** @description The roles that groups give. 100 items at most. */
            group_roles?: components["schemas"]["GroupRoleInput"][] | null;
            /** @description Where applications may have people sent back to, compared letter for letter. 20 items at most, 500 characters at most each. */
            redirect_uris?: string[] | null;
            /** @description What people enter at the sign-in page: letters, digits and hyphens. 1 to 60 characters after trimming. */
            name?: string | null;
            /**
             * Format: uri
             * @description The issuer, letter for letter as its discovery document says it. 500 characters at most.
             */
            issuer?: string | null;
            /** @description What the gateway is called there. 1 to 300 characters after trimming. */
            client_id?: string | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly has_secret?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly domain_proofs?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly updated_at?: unknown;
        };
        /** @description What to change of an incident. What is absent stays as it is; null empties what may be empty. */
        UpdateIncidentInput: {
            /**
             * Format: date-time
             * @description When its handling ended: not in the future, not before awareness. Final reports are due after it.
             */
            handled_at?: string | null;
            /** @description Whether unlawful or malicious acts are suspected. */
            suspected_malicious?: boolean | null;
            /** @description Whether it may have an impact in other countries. */
            cross_border?: boolean | null;
            /** @description Whether it affects a trust service of the organization. */
            affects_trust_service?: boolean | null;
            /** @description Whether it is a personal data breach (GDPR Article 33). */
            personal_data_concerned?: boolean | null;
            /** @description Whether a vulnerability of a product that the organization makes is actively exploited (CRA Article 14(1)). */
            exploited_vulnerability?: boolean | null;
            /** @description Whether it is severe and affects the security of a product that the organization makes (CRA Article 14(3)). */
            product_concerned?: boolean | null;
            /**
             * Format: date-time
             * @description When it was classified as a major ICT-related incident (DORA Article 18): not in the future, not before awareness.
             */
            classified_at?: string | null;
            /**
             * Format: date-time
             * @description When a corrective or mitigating measure became available; not in the future.
             */
            fix_available_at?: string | null;
            /**
             * Format: date-time
             * @description The deadline of the intermediate report that an authority requested last.
             */
            intermediate_report_due_at?: string | null;
            /** @description The category of a regime that applies, such as `IS-1` of Italy. */
            category?: string | null;
            /** @description Indicators of compromise. 10,000 characters at most. */
            indicators?: string | null;
            /** @description What harm it does, and to whom. 10,000 characters at most. */
            impact?: string | null;
            /** @description What caused it. 10,000 characters at most. */
            root_cause?: string | null;
            /** @description What is done against it. 10,000 characters at most. */
            mitigation?: string | null;
            /** @description What happened, in one line. 1 to 200 characters after trimming. */
            title?: string;
            /** @description What happened, at length; null empties it. 10,000 characters at most. */
            description?: string | null;
            /**
             * @description How bad it is.
             * @enum {string}
             */
            severity?: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /**
             * @description How far its handling has come: `OPEN`, `CONTAINED` or `RESOLVED`. Closing has a mutation of its own.
             * @enum {string}
             */
            status?: "OPEN" | "CONTAINED" | "RESOLVED";
            /** @description Whether it is significant in the sense of NIS 2 Article 23(3). */
            significant?: boolean;
            /**
             * Format: date-time
             * @description When the organization became aware: not in the future, not after a report that was sent.
             */
            aware_at?: string;
            /** @description Why a report may be sent later or not at all: required, of at least a SECURITY_OFFICER, for a later `awareAt`, for `significant: false`, and for whatever else moves a deadline forward or takes it away. 1 to 1,000 characters after trimming. */
            reason?: string | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly organization?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly clock?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly opened_by?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly updated_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly closed_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly closed_by?: unknown;
        };
        /** @description Which notifications of an organization the caller wants by mail. What is absent or null stays as it is. */
        UpdateMailPreferencesInput: {
            /**
             * @description About incidents and their reports.
             * @enum {string|null}
             */
            incident?: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER" | null;
            /**
             * @description About document versions.
             * @enum {string|null}
             */
            document?: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER" | null;
            /**
             * @description About edge protections and threat blockers.
             * @enum {string|null}
             */
            device?: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER" | null;
            /**
             * @description About workflows and controls.
             * @enum {string|null}
             */
            workflow?: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER" | null;
            /**
             * @description About members and roles.
             * @enum {string|null}
             */
            member?: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER" | null;
            /**
             * @description About tokens of the user.
             * @enum {string|null}
             */
            token?: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER" | null;
            /**
             * @description About the platform itself.
             * @enum {string|null}
             */
            system?: "IMMEDIATELY" | "DAILY" | "URGENT_ONLY" | "NEVER" | null;
        };
        /** @description What a member is to be. What is absent stays as it is. */
        UpdateMemberInput: {
            /**
             * @description Its new role. Rank 4 gives and takes roles below rank 4, rank 5 all of them; the last owner stays one.
             * @enum {string|null}
             */
            role?: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER" | null;
            /** @description Whether it has access to the organization; its place and its preferences stay either way. */
            active?: boolean | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly username?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly email?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly first_name?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly last_name?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly alerts?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly joined_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly deactivated_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly viewer_can?: unknown;
        };
        /** @description A notification of the caller, and whether the caller has read it. */
        UpdateNotificationInput: {
            /** @description Whether it was read. */
            read: boolean;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly organization?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly title?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly message?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly type?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly action?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly datetime?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly icon?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly extra?: unknown;
        };
        /** @description What to change of an organization. An absent field stays as it is, null empties it; a list is replaced as a whole. Each field has the rules that it has on creation. */
        UpdateOrganizationInput: {
            /** @description Common name; not null. 1 to 200 characters after trimming. */
            name?: string;
            /** @description Free text. 10,000 characters at most. */
            description?: string | null;
            /**
             * Format: int32
             * @description Number of employees. 0 to 2,147,483,647.
             */
            number_employees?: number | null;
            /** @description Full http or https URL of the website. 2,048 characters at most. */
            website?: string | ("" | null);
            /** @description Full http or https URL of the logo file, on a public host. 2,048 characters at most. */
            logo?: string | ("" | null);
            /** @description Sectors, of those that the options list. 200 items at most. */
            sectors?: components["schemas"]["Sector"][] | null;
            /** @description Industries, of those that the options list. 200 items at most. */
            industries?: components["schemas"]["Industry"][] | null;
            /** @description NIS 2 sector, of those that the options list. */
            nis2_sector?: components["schemas"]["Nis2Sector"] | null;
            /** @description Frameworks to name, each once. Metadata only: no workflow is associated by it. 20 items at most. */
            compliance_frameworks?: components["schemas"]["ComplianceFrameworkInput"][] | null;
            /**
             * @description Where its systems run.
             * @enum {string|null}
             */
            infrastructure?: "cloud" | "on-prem" | "hybrid" | "" | null;
            /** @description Persons to turn to. 100 items at most. */
            contacts?: components["schemas"]["ContactInput"][] | null;
            /** @description Domains that the organization owns, as hostnames. 1,000 items at most, 253 characters at most each. */
            domains?: string[] | null;
            /** @description Public IPv4 addresses in dotted form. 1,000 items at most, 45 characters at most each. */
            ips?: string[] | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly updated_at?: unknown;
        };
        /** @description Settings to change. An absent one stays as it is, null is what it was at first. */
        UpdateOrganizationSettingsInput: {
            /** @description IANA name of a time zone, such as `Europe/Rome`. 64 characters at most. */
            time_zone?: string | ("" | null);
            /** @description Tag of a language that the gateway has (`formOptions.languages`), such as `it`. */
            language?: ("de" | "en" | "it") | ("" | null);
            /** @description ISO 3166-1 alpha-2 code of the country whose law applies to it, such as `IT`. 2 characters at most. */
            country?: string | ("" | null);
            /** @description Whether it provides trust services (Regulation (EU) 910/2014). */
            trust_service_provider?: boolean | null;
            /**
             * Format: date
             * @description First day on which it has to report under NIS 2, where its law gives it one of its own, as in Italy nine months after the notice of listing.
             */
            nis2_reporting_from?: string | null;
            /**
             * Format: int32
             * @description Weekday of the weekly report; 1 is Monday, 7 is Sunday. 1 to 7.
             */
            report_weekday?: number | null;
            /** @description Whether a token may come as a query parameter. */
            query_token_allowed?: boolean | null;
            /**
             * Format: int32
             * @description Days after which entries of the audit trail are removed; null keeps them. Requires ORGANIZATION_OWNER. 365 to 36,500.
             */
            audit_retention_days?: number | null;
        };
        /** @description What the caller is called, and in which language it reads. What is absent stays as it is; the empty text takes away what there is. */
        UpdateProfileInput: {
            /** @description First name. 200 characters at most. */
            first_name?: string | null;
            /** @description Last name. 200 characters at most. */
            last_name?: string | null;
            /** @description Tag of a language that the gateway has (`formOptions.languages`), such as `it`; without one, that of each organization is used. */
            language?: ("de" | "en" | "it") | ("" | null);
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly username?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly email?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
        };
        /** @description What a directory may do. What is absent or null stays as it is. */
        UpdateScimSettingsInput: {
            /** @description Whether SCIM is switched on. */
            enabled?: boolean | null;
            /**
             * @description The role of people whose groups have none; not ORGANIZATION_OWNER.
             * @enum {string|null}
             */
            default_role?: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER" | null;
            /** @description The roles that groups give. Members whose groups have another role now get it. 100 items at most. */
            group_roles?: components["schemas"]["GroupRoleInput"][] | null;
            /** @description Whether members who came in otherwise are linked. Requires ORGANIZATION_OWNER. */
            link_members?: boolean | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly url?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly updated_at?: unknown;
        };
        /** @description What a service account is to be. What is absent stays as it is. */
        UpdateServiceAccountInput: {
            /** @description What to call it; its user name stays. 1 to 100 characters after trimming. */
            name?: string | null;
            /** @description What it is for. 1,000 characters at most. */
            description?: string | null;
            /**
             * @description Its new role, as for a new one.
             * @enum {string|null}
             */
            role?: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER" | null;
            /** @description UUID of the member who answers for it from now on. */
            responsible_id?: string | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly username?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly responsible?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_by?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly updated_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly last_used_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly viewer_can?: unknown;
        };
        /** @description Changes of a threat-blocker configuration. What is absent stays as it is; null empties what may be empty. */
        UpdateThreatBlockerInput: {
            /** @description Kind of configuration; not null. 1 to 64 characters after trimming. */
            type?: string;
            /**
             * Format: email
             * @description Contact e-mail of the configuration; not null. 254 characters at most.
             */
            email?: string;
            /** @description The plug-in: absent parts of it stay as well, and a configuration is replaced as a whole. */
            plugin?: components["schemas"]["ThreatBlockerPluginInput"] | null;
            /** @description IP address of the endpoint, IPv4 or IPv6; not null. 45 characters at most. */
            endpoint?: string;
            /** @description Private IP address, IPv4 or IPv6. 45 characters at most. */
            privateIP?: string | ("" | null);
            /** @description Names of all enabled services; null means none. 50 items at most, 1 to 64 characters each. */
            services?: string[] | null;
            /** @description Device identifier. 200 characters at most. */
            device_id?: string | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly organization?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly atb_key?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly check?: unknown;
        };
        /** @description What a webhook endpoint is to be. What is absent stays as it is. */
        UpdateWebhookEndpointInput: {
            /**
             * Format: uri
             * @description The address. It must begin with `https://` and lead to the Internet. 2,000 characters at most.
             */
            url?: string | null;
            /** @description What it is for. 500 characters at most. */
            description?: string | null;
            /** @description Types of the events that it gets; empty is all, those to come included. 200 items at most. */
            event_types?: ("organization.created" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.purged" | "organization.ownership_transferred" | "invitation.created" | "invitation.resent" | "invitation.cancelled" | "member.joined" | "member.updated" | "member.removed" | "member.left" | "service_account.created" | "service_account.updated" | "service_account.deleted" | "token.created" | "token.rotated" | "token.revoked" | "token.blocked" | "token.expiring" | "token.used_from_new_address" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "identity_provider.domain_verified" | "member.identity_linked" | "member.signed_in" | "member.signed_out" | "engagement.created" | "engagement.updated" | "engagement.read" | "engagement.auditor_joined" | "engagement.auditor_removed" | "engagement.evidence_requested" | "engagement.request_answered" | "engagement.signed_off" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "scim.updated" | "scim_token.created" | "scim_token.revoked" | "scim_group.created" | "scim_group.updated" | "scim_group.deleted" | "workflow.associated" | "workflow.dissociated" | "workflow.exported" | "workflow.imported" | "workflow.import_deleted" | "control.updated" | "control.assigned" | "control.overdue" | "control.evidence_expiring" | "document.uploaded" | "document.updated" | "document.deleted" | "document.trimmed" | "document.downloaded" | "workflow.evidence_pack_downloaded" | "incident.opened" | "incident.updated" | "incident.assessed" | "incident.closed" | "incident.reopened" | "incident.rejudged" | "incident.report_recorded" | "incident.report_corrected" | "incident.report_draft_downloaded" | "incident.report_due_soon" | "incident.report_overdue" | "incident.attachment_added" | "incident.attachment_deleted" | "incident.attachment_downloaded" | "incident.note_added" | "device.created" | "device.updated" | "device.deleted" | "device.restored" | "device.key_rotated" | "device.status_changed" | "organization.list_downloaded" | "audit_trail.exported" | "audit_trail.entries_set_aside" | "audit_trail.pruned" | "access.refused")[] | null;
            /**
             * @description What is sent.
             * @enum {string|null}
             */
            format?: "EVENT" | "SLACK" | "TEAMS" | "OCSF" | null;
            /**
             * @description Whether anything is sent. Disabling it gives up what waits.
             * @enum {string|null}
             */
            status?: "ENABLED" | "DISABLED" | null;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly id?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly disabled_reason?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly failing_since?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly previous_secret_until?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly enabled_by?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly created_at?: unknown;
            /** @description It cannot be changed: ignored when it is as it was read, refused otherwise. */
            readonly updated_at?: unknown;
        };
        /** @description The same fields as in JSON, or the bytes as a file part that is called `content` or `file`. Name and media type of a file part stand where no field says otherwise. */
        UploadDocumentVersionForm: {
            /** @description File name. */
            filename?: string;
            /**
             * Format: binary
             * @description The file; or its content, base64 encoded, as a part without a file name.
             */
            content?: string;
            /** @description Media type of the file. The content must agree. */
            content_type?: string;
            /**
             * @description Origin of the file; `attached` when absent.
             * @enum {string}
             */
            source?: "" | "attached" | "generated" | "imported";
            /**
             * Format: binary
             * @description The file.
             */
            file?: string;
        } & (unknown | unknown);
        /** @description A document with its content in base64. */
        UploadDocumentVersionInput: {
            /** @description File name. */
            filename: string;
            /** @description File content, base64 encoded: 10 MB at most, decoded. */
            content: string;
            /** @description Media type of the file. The content must agree. */
            content_type?: string;
            /**
             * @description Origin of the file; `attached` when absent.
             * @enum {string}
             */
            source?: "" | "attached" | "generated" | "imported";
        };
        /** @description Exactly one part. */
        UploadIncidentAttachmentForm: {
            /**
             * Format: binary
             * @description The file: 25 MB at most, of the types that documents have.
             */
            file: string;
        };
        /** @description What a value of an enumeration is called. */
        ValueLabel: {
            /** @description Name of the enumeration in GraphQL, such as `IncidentSeverity`. */
            enumeration: string;
            /** @description The value, such as `CRITICAL`. */
            value: string;
            /** @description What people read, in the language of the argument. */
            label: string;
        };
        /** @description A domain whose TXT record is to be looked for. */
        VerifyIdentityDomainInput: {
            /**
             * Format: hostname
             * @description One of its domains. 253 characters at most.
             */
            domain: string;
        };
        /** @description One report of the web traffic that a device looked after. */
        WebStat: {
            /**
             * Format: date-time
             * @description When the device reported.
             */
            datetime: string;
            /**
             * Format: int32
             * @description Requests that the web application firewall stopped.
             */
            waf_protection: number;
            /**
             * Format: int32
             * @description All requests that the device looked after.
             */
            total_managed_requests: number;
        };
        /** @description The web traffic that a device looked after since the report before. */
        WebStatInput: {
            /**
             * Format: int32
             * @description Requests that the web application firewall stopped. 0 or more.
             */
            waf_protection: number;
            /**
             * Format: int32
             * @description All requests that the device looked after. 0 or more.
             */
            total_managed_requests: number;
        };
        /** @description One attempt to deliver an event. */
        WebhookAttempt: {
            /**
             * Format: int32
             * @description Which one, from 1; from the beginning when the delivery is sent again.
             */
            number: number;
            /**
             * Format: date-time
             * @description When it began.
             */
            attempted_at: string;
            /**
             * Format: int32
             * @description How long it took, in milliseconds.
             */
            milliseconds: number;
            /**
             * Format: int32
             * @description The status of the answer; null where there was none.
             */
            status_code: number | null;
            /** @description Why it was not accepted, as a sentence. Empty when there is none. */
            error: string;
            /** @description The first 4 KB of the answer. Empty when there is none. */
            answer: string;
        };
        WebhookAttemptListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WebhookAttempt"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description One event for one webhook endpoint, and what came of it. */
        WebhookDelivery: {
            /**
             * Format: int64
             * @description What to send it again by.
             */
            id: number;
            /** @description The id of the event, which is sent as `webhook-id`. */
            event_id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event_type: "organization.created" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.purged" | "organization.ownership_transferred" | "invitation.created" | "invitation.resent" | "invitation.cancelled" | "member.joined" | "member.updated" | "member.removed" | "member.left" | "service_account.created" | "service_account.updated" | "service_account.deleted" | "token.created" | "token.rotated" | "token.revoked" | "token.blocked" | "token.expiring" | "token.used_from_new_address" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "identity_provider.domain_verified" | "member.identity_linked" | "member.signed_in" | "member.signed_out" | "engagement.created" | "engagement.updated" | "engagement.read" | "engagement.auditor_joined" | "engagement.auditor_removed" | "engagement.evidence_requested" | "engagement.request_answered" | "engagement.signed_off" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "scim.updated" | "scim_token.created" | "scim_token.revoked" | "scim_group.created" | "scim_group.updated" | "scim_group.deleted" | "workflow.associated" | "workflow.dissociated" | "workflow.exported" | "workflow.imported" | "workflow.import_deleted" | "control.updated" | "control.assigned" | "control.overdue" | "control.evidence_expiring" | "document.uploaded" | "document.updated" | "document.deleted" | "document.trimmed" | "document.downloaded" | "workflow.evidence_pack_downloaded" | "incident.opened" | "incident.updated" | "incident.assessed" | "incident.closed" | "incident.reopened" | "incident.rejudged" | "incident.report_recorded" | "incident.report_corrected" | "incident.report_draft_downloaded" | "incident.report_due_soon" | "incident.report_overdue" | "incident.attachment_added" | "incident.attachment_deleted" | "incident.attachment_downloaded" | "incident.note_added" | "device.created" | "device.updated" | "device.deleted" | "device.restored" | "device.key_rotated" | "device.status_changed" | "organization.list_downloaded" | "audit_trail.exported" | "audit_trail.entries_set_aside" | "audit_trail.pruned" | "access.refused";
            /**
             * @description What has become of it.
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "FAILED";
            /**
             * Format: int32
             * @description How often it was tried: 10 times at most, and from the beginning when it is sent again.
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When the last attempt began; null before the first one.
             */
            attempted_at: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null when there is none.
             */
            next_attempt_at: string | null;
            /**
             * Format: int32
             * @description How long the last attempt took, in milliseconds; null before the first one.
             */
            milliseconds: number | null;
            /**
             * Format: int32
             * @description The status of the last answer; null where there was none.
             */
            status_code: number | null;
            /** @description Why the last attempt was not accepted, as a sentence. Empty when there is none. */
            error: string;
            /** @description The first 4 KB of the last answer. Empty when there is none. */
            answer: string;
            /**
             * Format: date-time
             * @description When it was put in.
             */
            created_at: string;
        };
        WebhookDeliveryEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookDeliveryListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description An address that the events of an organization are sent to. */
        WebhookEndpoint: {
            /**
             * Format: int64
             * @description What to change it by.
             */
            id: number;
            /** @description The address. Keep it to yourself where it has a secret of the receiver in it. */
            url: string;
            /** @description What it is for. Empty when there is none. */
            description: string;
            /** @description Types of the events that it gets; empty is all, those to come included. */
            event_types: ("organization.created" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.purged" | "organization.ownership_transferred" | "invitation.created" | "invitation.resent" | "invitation.cancelled" | "member.joined" | "member.updated" | "member.removed" | "member.left" | "service_account.created" | "service_account.updated" | "service_account.deleted" | "token.created" | "token.rotated" | "token.revoked" | "token.blocked" | "token.expiring" | "token.used_from_new_address" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "identity_provider.domain_verified" | "member.identity_linked" | "member.signed_in" | "member.signed_out" | "engagement.created" | "engagement.updated" | "engagement.read" | "engagement.auditor_joined" | "engagement.auditor_removed" | "engagement.evidence_requested" | "engagement.request_answered" | "engagement.signed_off" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "scim.updated" | "scim_token.created" | "scim_token.revoked" | "scim_group.created" | "scim_group.updated" | "scim_group.deleted" | "workflow.associated" | "workflow.dissociated" | "workflow.exported" | "workflow.imported" | "workflow.import_deleted" | "control.updated" | "control.assigned" | "control.overdue" | "control.evidence_expiring" | "document.uploaded" | "document.updated" | "document.deleted" | "document.trimmed" | "document.downloaded" | "workflow.evidence_pack_downloaded" | "incident.opened" | "incident.updated" | "incident.assessed" | "incident.closed" | "incident.reopened" | "incident.rejudged" | "incident.report_recorded" | "incident.report_corrected" | "incident.report_draft_downloaded" | "incident.report_due_soon" | "incident.report_overdue" | "incident.attachment_added" | "incident.attachment_deleted" | "incident.attachment_downloaded" | "incident.note_added" | "device.created" | "device.updated" | "device.deleted" | "device.restored" | "device.key_rotated" | "device.status_changed" | "organization.list_downloaded" | "audit_trail.exported" | "audit_trail.entries_set_aside" | "audit_trail.pruned" | "access.refused")[];
            /**
             * @description What is sent.
             * @enum {string}
             */
            format: "EVENT" | "SLACK" | "TEAMS" | "OCSF";
            /**
             * @description Whether anything is sent.
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /**
             * @description Why it is disabled; null while it is not.
             * @enum {string|null}
             */
            disabled_reason: "REQUESTED" | "GONE" | "FAILING" | "MEMBER_LEFT" | null;
            /**
             * Format: date-time
             * @description Since when all attempts have failed; null when the last one was accepted.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation signs as well; null when it does not.
             */
            previous_secret_until: string | null;
            /** @description Who created it, or enabled it last: when that membership ends, it is disabled. Null when that user is gone. User name at that time. */
            enabled_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        WebhookEndpointEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description The result of `recoverWebhooks`. */
        WebhookRecovery: {
            /**
             * Format: int32
             * @description How many events that are.
             */
            recovered: number;
            /** @description Whether these are all; if not, recover again with the same `since`. */
            complete: boolean;
        };
        WebhookRecoveryEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WebhookRecovery"];
        };
        /** @description The result of `sendTestWebhook`. */
        WebhookTest: {
            /** @description The id of its event, by which its delivery is found a moment later. */
            event_id: string;
        };
        WebhookTestEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WebhookTest"];
        };
        /** @description One weekly report to one contact. */
        WeeklyReportDelivery: {
            /**
             * Format: int64
             * @description Delivery identifier.
             */
            id: number;
            /** @description ISO 8601 week that it is the report of, such as `2026-W47`. */
            week: string;
            /** @description E-mail address of the contact. */
            email: string;
            /**
             * @description What has become of it.
             * @enum {string}
             */
            state: "QUEUED" | "SENT" | "FAILED";
            /**
             * Format: int32
             * @description How often it was tried.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was written.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the mail server took it; null before that.
             */
            sent_at: string | null;
            /** @description Why the last try failed, as a sentence; null when it did not. */
            last_error: string | null;
        };
        WeeklyReportDeliveryListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WeeklyReportDelivery"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description The weekly report of an organization as it would go out now. */
        WeeklyReportPreview: {
            /** @description ISO 8601 week in the time zone of the organization, such as `2026-W47`. */
            week: string;
            /** @description Subject of the mail. */
            subject: string;
            /** @description The mail as HTML. Its link to unsubscribe leads nowhere. */
            html: string;
            /** @description The mail as plain text. */
            text: string;
        };
        WeeklyReportPreviewEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WeeklyReportPreview"];
        };
        /** @description Something that is to be done in an organization by an instant. */
        WorkItem: {
            /**
             * @description What it is.
             * @enum {string}
             */
            kind: "CONTROL" | "REVIEW" | "REPORT";
            /** @description The label of the control, or the title of the incident. */
            title: string;
            /**
             * Format: date-time
             * @description When it is due; of a control or review, the end of its day where the organization is.
             */
            due_at: string;
            /** @description Whether that has passed. */
            overdue: boolean;
            /** @description The organization that it belongs to. */
            organization: components["schemas"]["OrganizationSummary"];
            /** @description The control, also of a review; null for reports. */
            control: {
                /** @description Id of the workflow in the catalogue. */
                workflow_id: string;
                /** @description Its number in the source, such as `A.5.1`: the artifact id of documents. */
                id: string;
                /** @description A short label in our own words, not the official title. */
                label: string;
                /**
                 * @description How far the organization is.
                 * @enum {string}
                 */
                status: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
                /**
                 * Format: date
                 * @description By which day it is to be done; null when none is set.
                 */
                due_date: string | null;
            } | null;
            /** @description The report; null for other kinds. */
            report: components["schemas"]["ReportDeadline"] | null;
        };
        WorkItemListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WorkItem"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A compliance framework or task set that organizations can associate. */
        Workflow: {
            /** @description What to associate the workflow by, such as `iso-27001-2022`. */
            id: string;
            /** @description Name of the workflow. */
            name: string;
        };
        /** @description A control or task of a workflow, as the catalogue has it. */
        WorkflowControl: {
            /** @description Its number in the source, such as `A.5.1`: the artifact id of documents. */
            id: string;
            /** @description A short label in our own words, not the official title. */
            label: string;
            /** @description `controlId` of the heading above; null at the top. */
            parent_id: string | null;
            /**
             * @description Control or task.
             * @enum {string}
             */
            kind: "CONTROL" | "TASK";
            /**
             * Format: int32
             * @description Place in the reading order of the workflow, from 1.
             */
            position: number;
            /** @description Which entities under NIS 2 it binds; null means all. */
            entities: ("important" | "essential")[] | null;
            /** @description What the source asks for, in its own words, where an import has it; null otherwise. */
            text: string | null;
        };
        /** @description What an import changes of a control, with what the organization has of it. */
        WorkflowControlChange: {
            /** @description Its number. */
            id: string;
            /** @description As it is; null for one that is added. */
            before: components["schemas"]["WorkflowControlEdition"] | null;
            /** @description As it will be; null for one that is removed. */
            after: components["schemas"]["WorkflowControlEdition"] | null;
            /**
             * @description How far the organization is. It is kept, and counts again when a later edition has the control.
             * @enum {string}
             */
            status: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
            /** @description Why it does not apply; with no other status than `NOT_APPLICABLE`. Empty when there is none. */
            justification: string;
            /** @description The member who is responsible for it; null when there is none. */
            owner: {
                /** @description Id of the user. */
                user_id: string;
                /** @description User name. */
                username: string;
                /** @description First name. Empty when there is none. */
                first_name: string;
                /** @description Last name. Empty when there is none. */
                last_name: string;
            } | null;
            /**
             * Format: date
             * @description By which day it is to be done; null when none is set.
             */
            due_date: string | null;
            /**
             * Format: int32
             * @description How many document versions are stored for it. They stay readable when it is removed.
             */
            documents: number;
        };
        /** @description A control or task as one edition of a workflow has it. */
        WorkflowControlEdition: {
            /** @description Its label. */
            label: string;
            /** @description `controlId` of the heading above; null at the top. */
            parent_id: string | null;
            /**
             * @description Control or task.
             * @enum {string}
             */
            kind: "CONTROL" | "TASK";
            /** @description Which entities under NIS 2 it binds; null means all. */
            entities: ("important" | "essential")[] | null;
            /** @description Whether it has controls below it: then it has no status of its own. */
            is_heading: boolean;
            /** @description What the source asks for, in its own words; null where only the label is kept. */
            text: string | null;
        };
        /** @description A control or task of a workflow to import. */
        WorkflowControlInput: {
            /** @description Its number in the source, unique in the workflow. Required. */
            id: string | null;
            /** @description Its label, in one line of 120 characters at most. Required. */
            label: string | null;
            /** @description What the source asks for, in its own words, where its licence allows to keep them. */
            text?: string | null;
            /** @description The heading above, which stands before it; absent at the top. */
            parent?: string | null;
            /**
             * @description `control` or `task`. Required.
             * @enum {string|null}
             */
            kind: "control" | "task" | null;
            /** @description Which entities under NIS 2 it binds: `important`, `essential`; absent means all. 2 items at most. */
            entities?: string[] | null;
        };
        WorkflowControlListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WorkflowControl"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description A workflow, titles or a mapping that an organization has imported; only its members see them. */
        WorkflowImport: {
            /** @description Id of the imported workflow or mapping, or of the workflow that has the titles. */
            id: string;
            /**
             * @description Workflow, titles or mapping.
             * @enum {string}
             */
            mode: "WORKFLOW" | "TITLES" | "MAPPING";
            /** @description Name in the import; of a mapping, which workflows it maps. */
            name: string;
            /** @description Edition that the import names as its version; mappings have none. Empty when there is none. */
            version: string;
            /**
             * Format: int32
             * @description How many controls it has, headings included; of a mapping, those of its first workflow.
             */
            controls: number;
            /** @description The person who imported it. User name at that time. */
            imported_by: string;
            /**
             * Format: date-time
             * @description When it was imported last.
             */
            imported_at: string;
            /** @description Where it comes from. */
            source: string;
            /** @description Address of the source; null when it has none. */
            source_url: string | null;
            /** @description Under which terms it is used, as the import says. */
            licence: string;
            /** @description What a reader should know about it; null when nothing. */
            remarks: string | null;
        };
        WorkflowImportEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WorkflowImport"];
        };
        WorkflowImportListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WorkflowImport"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description What the import of a workflow would change. Nothing is stored. */
        WorkflowImportPreview: {
            /** @description What it is stored by. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Its edition. */
            version: string;
            /** @description Whether something is imported by this id, which it replaces. */
            replaces: boolean;
            /** @description Whether the workflow is associated with the organization. */
            is_associated: boolean;
            /** @description What an import needs to do exactly this: `previewDigest`. */
            digest: string;
            /** @description Controls that it adds, in reading order. */
            added: components["schemas"]["WorkflowControlChange"][];
            /** @description Controls that it removes, in reading order. */
            removed: components["schemas"]["WorkflowControlChange"][];
            /** @description Controls whose label, heading, kind or entities it changes, in reading order. */
            changed: components["schemas"]["WorkflowControlChange"][];
            /**
             * Format: int32
             * @description How many controls stay as they are.
             */
            unchanged: number;
        };
        WorkflowImportPreviewEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["WorkflowImportPreview"];
        };
        WorkflowListEnvelope: {
            /**
             * @description 0 means success.
             * @constant
             */
            error: 0;
            /** @description Empty on success. */
            messages: (string | number)[];
            /** @description The payload. */
            data: components["schemas"]["Workflow"][];
            /** @description Number of items that meet the filter. It is not the number of items in `data`. */
            total: number;
        };
        /** @description How many controls of a workflow have which status. */
        WorkflowProgress: {
            /**
             * Format: int32
             * @description All controls and tasks: the sum of the four others.
             */
            total: number;
            /**
             * Format: int32
             * @description Those not begun.
             */
            to_do: number;
            /**
             * Format: int32
             * @description Those under way.
             */
            in_progress: number;
            /**
             * Format: int32
             * @description Those done.
             */
            done: number;
            /**
             * Format: int32
             * @description Those that do not apply.
             */
            not_applicable: number;
        };
        /** @description Where the controls of a workflow come from. */
        WorkflowSourceInput: {
            /** @description Who published what, and when. Required. */
            text: string | null;
            /** @description Address of the source (https). */
            url?: string | null;
        };
    };
    responses: {
        /** @description Something that was sent is wrong: one sentence for each error, at most 50, each naming its field. */
        BAD_USER_INPUT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state it is in does not allow it, or it was changed in the meantime: the reason says which. */
        CONFLICT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The file is too large: 10 MB for a document, 25 MB for an attachment, 1 MB for a logo. */
        FILE_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller's role or the token's scopes do not allow it. */
        FORBIDDEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The cursor of the feed of events is older than what is kept, or not of this database: begin anew without it. */
        GONE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers, the address among them, are larger than 16 KB; the connection is closed. */
        HEADERS_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something unexpected went wrong; the request id finds it in the logs. */
        INTERNAL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path exists, and the method that was used does not. */
        METHOD_NOT_ALLOWED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing, or the caller is no member of its organization. */
        NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state it is in does not allow it, or it was changed in the meantime: the reason says which. Or: The `Idempotency-Key` was used for another request; or, with `Retry-After`, the request that uses it is under way; or, with `Idempotency-Replayed`, the request was executed, and its answer was too long to be kept: `Location` leads to what it made. */
        POST_CONFLICT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller's role or the token's scopes do not allow it. Or: With `Idempotency-Replayed`, the request was executed before, and the caller may not see its answer any more. */
        POST_FORBIDDEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing, or the caller is no member of its organization. Or: With `Idempotency-Replayed`, the request was executed before, and the caller may not see its answer any more. */
        POST_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The record is in another state than `If-Match` names. */
        PRECONDITION_FAILED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests, too many of a costly kind at the same time, or too many mails. */
        RATE_LIMITED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers or the body arrived too slowly; the connection is closed. */
        REQUEST_TIMEOUT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is missing, malformed, unknown, expired or revoked. */
        UNAUTHENTICATED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database or the storage is away. */
        UNAVAILABLE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The file is of a type that is not allowed, or its content is not what its name or media type says. */
        UNSUPPORTED_FILE_TYPE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The id of the event: the same in every attempt. */
        "webhook-id": string;
        /** @description When it is sent: seconds since 1970. */
        "webhook-timestamp": number;
        /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
        "webhook-signature": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrganizations: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "name" | "-name" | "created_at" | "-created_at";
                /** @description Only organizations in which the caller has exactly this role. */
                role?: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
                /** @description Only organizations whose name contains this text; case and accents make no difference. 200 characters at most. */
                search?: string;
                /** @description True lists the organizations that the caller may restore: its own that were deleted in the last 30 days. Otherwise those that exist. */
                deleted?: boolean;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationInput"];
                "multipart/form-data": components["schemas"]["CreateOrganizationForm"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["FILE_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_FILE_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationInput"];
                "application/merge-patch+json": components["schemas"]["UpdateOrganizationInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    restoreOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    transferOwnership: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferOwnershipInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    leaveOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    setOrganizationLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization that has the logo. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["SetOrganizationLogoForm"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            /** @description Something that was sent is wrong: one sentence for each error, at most 50, each naming its field. Or: There is no part `file`, or more than one; or the file is empty or of a type that is not allowed. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["FILE_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_FILE_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    removeOrganizationLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization that has the logo. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getOrganizationSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSettingsEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateOrganizationSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOrganizationSettingsInput"];
                "application/merge-patch+json": components["schemas"]["UpdateOrganizationSettingsInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSettingsEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getOrganizationPrivileges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationPrivilegesEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listOrganizationUsers: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "username" | "-username" | "email" | "-email" | "role" | "-role";
                /** @description Only members of exactly this role. */
                role?: "VIEWER" | "SECURITY_ANALYST" | "SECURITY_OFFICER" | "ORGANIZATION_MANAGER" | "ORGANIZATION_OWNER";
                /** @description Only those who have access, or only the deactivated ones. */
                active?: boolean;
                /** @description Only members whose name, user name or e-mail address contains this text; case and accents make no difference. 200 characters at most. */
                search?: string;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationUserListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getOrganizationUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the user. */
                userid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMemberEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    removeOrganizationUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the user. */
                userid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMemberEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateOrganizationUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the user. */
                userid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateMemberInput"];
                "application/merge-patch+json": components["schemas"]["UpdateMemberInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMemberEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Only those of this status. */
                status?: "OPEN" | "ACCEPTED" | "EXPIRED" | "CANCELLED";
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Its id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    cancelInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which invitation. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which invitation. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationPreviewInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreviewEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    eraseProfile: {
        parameters: {
            query: {
                /** @description The user name of the caller. 200 characters at most. */
                username: string;
            };
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProfileInput"];
                "application/merge-patch+json": components["schemas"]["UpdateProfileInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exportProfile: {
        parameters: {
            query?: {
                /** @description In a signed address: the user that it was made for. */
                for?: string;
                /** @description When the signed address expires, in Unix seconds. */
                expires?: number;
                /** @description The signature of the address. */
                signature?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One object with a list for each kind of data; docs/privacy.md names them. It is made while it is sent: one that ends before its end is no JSON. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getAlerts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateAlerts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAlertsInput"];
                "application/merge-patch+json": components["schemas"]["UpdateAlertsInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getMailPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailPreferencesEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateMailPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateMailPreferencesInput"];
                "application/merge-patch+json": components["schemas"]["UpdateMailPreferencesInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailPreferencesEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listOwnAuditTrail: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "position" | "-position";
                /** @description Only what this user did, or the job of this name. 200 characters at most. */
                actor?: string;
                /** @description Only those of this action. */
                action?: "ORGANIZATION_CREATED" | "ORGANIZATION_UPDATED" | "ORGANIZATION_DELETED" | "ORGANIZATION_RESTORED" | "ORGANIZATION_PURGED" | "OWNERSHIP_TRANSFERRED" | "MEMBER_INVITED" | "INVITATION_RESENT" | "INVITATION_CANCELLED" | "MEMBER_JOINED" | "MEMBER_UPDATED" | "MEMBER_REMOVED" | "MEMBER_LEFT" | "PROFILE_UPDATED" | "PROFILE_EXPORTED" | "USER_ERASED" | "SERVICE_ACCOUNT_CREATED" | "SERVICE_ACCOUNT_UPDATED" | "SERVICE_ACCOUNT_DELETED" | "TOKEN_CREATED" | "TOKEN_ROTATED" | "TOKEN_REVOKED" | "TOKEN_RECOVERY_REQUESTED" | "TOKEN_RECOVERED" | "TOKEN_BLOCKED" | "TOKEN_EXPIRING" | "TOKEN_USED_FROM_NEW_ADDRESS" | "IDENTITY_PROVIDER_CREATED" | "IDENTITY_PROVIDER_UPDATED" | "IDENTITY_PROVIDER_DELETED" | "IDENTITY_DOMAIN_VERIFIED" | "IDENTITY_LINKED" | "SIGNED_IN" | "SIGNED_OUT" | "ENGAGEMENT_CREATED" | "ENGAGEMENT_UPDATED" | "ENGAGEMENT_READ" | "AUDITOR_JOINED" | "AUDITOR_REMOVED" | "EVIDENCE_REQUESTED" | "EVIDENCE_REQUEST_ANSWERED" | "SIGNED_OFF" | "WEBHOOK_ENDPOINT_CREATED" | "WEBHOOK_ENDPOINT_UPDATED" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_DELETED" | "WEBHOOK_SECRET_ROTATED" | "WEBHOOK_TESTED" | "WEBHOOK_REDELIVERED" | "SCIM_UPDATED" | "SCIM_TOKEN_CREATED" | "SCIM_TOKEN_REVOKED" | "SCIM_GROUP_CREATED" | "SCIM_GROUP_UPDATED" | "SCIM_GROUP_DELETED" | "WORKFLOW_ASSOCIATED" | "WORKFLOW_DISSOCIATED" | "WORKFLOW_EXPORTED" | "WORKFLOW_IMPORTED" | "WORKFLOW_IMPORT_DELETED" | "CONTROL_UPDATED" | "CONTROLS_ASSIGNED" | "CONTROL_OVERDUE" | "CONTROL_EVIDENCE_EXPIRING" | "DOCUMENT_UPLOADED" | "DOCUMENT_UPDATED" | "DOCUMENT_DELETED" | "DOCUMENT_TRIMMED" | "DOCUMENT_DOWNLOADED" | "EVIDENCE_PACK_DOWNLOADED" | "INCIDENT_OPENED" | "INCIDENT_UPDATED" | "INCIDENT_ASSESSED" | "INCIDENT_CLOSED" | "INCIDENT_REOPENED" | "INCIDENT_REJUDGED" | "REPORT_RECORDED" | "REPORT_CORRECTED" | "REPORT_DRAFT_DOWNLOADED" | "REPORT_DUE_SOON" | "REPORT_OVERDUE" | "ATTACHMENT_ADDED" | "ATTACHMENT_DELETED" | "ATTACHMENT_DOWNLOADED" | "NOTE_ADDED" | "DEVICE_CREATED" | "DEVICE_UPDATED" | "DEVICE_DELETED" | "DEVICE_RESTORED" | "DEVICE_KEY_ROTATED" | "DEVICE_STATUS_CHANGED" | "LIST_DOWNLOADED" | "AUDIT_TRAIL_EXPORTED" | "AUDIT_ENTRIES_SET_ASIDE" | "AUDIT_TRAIL_PRUNED" | "ACCESS_REFUSED";
                /** @description Only those about objects of this type. */
                subject_type?: "ORGANIZATION" | "USER" | "MEMBER" | "SERVICE_ACCOUNT" | "ENGAGEMENT" | "INVITATION" | "TOKEN" | "IDENTITY_PROVIDER" | "SCIM_TOKEN" | "SCIM_GROUP" | "WEBHOOK_ENDPOINT" | "WORKFLOW" | "CONTROL" | "DOCUMENT_VERSION" | "INCIDENT" | "INCIDENT_ATTACHMENT" | "CLOUD_DEFENDER" | "THREAT_BLOCKER";
                /** @description Only those about the object with this `databaseId`; goes with `subjectType`. 200 characters at most. */
                subject_id?: string;
                /** @description Only what happened then or later. */
                from?: string;
                /** @description Only what happened before. */
                to?: string;
                /** @description Only entries after this place in the trail: in the order of places, a program that follows it misses none. 0 or more. */
                after_position?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    verifyOwnAuditTrail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditTrailVerificationEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokenListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiTokenInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Its id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokenEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiTokenInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedApiTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getCurrentToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentTokenEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    requestTokenRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestTokenRecoveryInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedTokenRecoveryEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    recoverToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverTokenInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveredTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listOrganizationTokens: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationApiTokenListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    blockOrganizationToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationApiTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getBranding: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandingEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The token is missing, malformed, unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller's role or the token's scopes do not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or the caller is no member of its organization. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path exists, and the method that was used does not. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers or the body arrived too slowly; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many of a costly kind at the same time, or too many mails. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers, the address among them, are larger than 16 KB; the connection is closed. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something unexpected went wrong; the request id finds it in the logs. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database or the storage is away. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateBranding: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateBrandingInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrandingEnvelope"];
                };
            };
            /** @description Something that was sent is wrong: one sentence for each error, at most 50, each naming its field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, malformed, unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller's role or the token's scopes do not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or the caller is no member of its organization. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path exists, and the method that was used does not. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers or the body arrived too slowly; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record is in another state than `If-Match` names. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many of a costly kind at the same time, or too many mails. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers, the address among them, are larger than 16 KB; the connection is closed. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something unexpected went wrong; the request id finds it in the logs. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database or the storage is away. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditTrail: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "position" | "-position";
                /** @description Only what this user did, or the job of this name. 200 characters at most. */
                actor?: string;
                /** @description Only those of this action. */
                action?: "ORGANIZATION_CREATED" | "ORGANIZATION_UPDATED" | "ORGANIZATION_DELETED" | "ORGANIZATION_RESTORED" | "ORGANIZATION_PURGED" | "OWNERSHIP_TRANSFERRED" | "MEMBER_INVITED" | "INVITATION_RESENT" | "INVITATION_CANCELLED" | "MEMBER_JOINED" | "MEMBER_UPDATED" | "MEMBER_REMOVED" | "MEMBER_LEFT" | "PROFILE_UPDATED" | "PROFILE_EXPORTED" | "USER_ERASED" | "SERVICE_ACCOUNT_CREATED" | "SERVICE_ACCOUNT_UPDATED" | "SERVICE_ACCOUNT_DELETED" | "TOKEN_CREATED" | "TOKEN_ROTATED" | "TOKEN_REVOKED" | "TOKEN_RECOVERY_REQUESTED" | "TOKEN_RECOVERED" | "TOKEN_BLOCKED" | "TOKEN_EXPIRING" | "TOKEN_USED_FROM_NEW_ADDRESS" | "IDENTITY_PROVIDER_CREATED" | "IDENTITY_PROVIDER_UPDATED" | "IDENTITY_PROVIDER_DELETED" | "IDENTITY_DOMAIN_VERIFIED" | "IDENTITY_LINKED" | "SIGNED_IN" | "SIGNED_OUT" | "ENGAGEMENT_CREATED" | "ENGAGEMENT_UPDATED" | "ENGAGEMENT_READ" | "AUDITOR_JOINED" | "AUDITOR_REMOVED" | "EVIDENCE_REQUESTED" | "EVIDENCE_REQUEST_ANSWERED" | "SIGNED_OFF" | "WEBHOOK_ENDPOINT_CREATED" | "WEBHOOK_ENDPOINT_UPDATED" | "WEBHOOK_ENDPOINT_DISABLED" | "WEBHOOK_ENDPOINT_DELETED" | "WEBHOOK_SECRET_ROTATED" | "WEBHOOK_TESTED" | "WEBHOOK_REDELIVERED" | "SCIM_UPDATED" | "SCIM_TOKEN_CREATED" | "SCIM_TOKEN_REVOKED" | "SCIM_GROUP_CREATED" | "SCIM_GROUP_UPDATED" | "SCIM_GROUP_DELETED" | "WORKFLOW_ASSOCIATED" | "WORKFLOW_DISSOCIATED" | "WORKFLOW_EXPORTED" | "WORKFLOW_IMPORTED" | "WORKFLOW_IMPORT_DELETED" | "CONTROL_UPDATED" | "CONTROLS_ASSIGNED" | "CONTROL_OVERDUE" | "CONTROL_EVIDENCE_EXPIRING" | "DOCUMENT_UPLOADED" | "DOCUMENT_UPDATED" | "DOCUMENT_DELETED" | "DOCUMENT_TRIMMED" | "DOCUMENT_DOWNLOADED" | "EVIDENCE_PACK_DOWNLOADED" | "INCIDENT_OPENED" | "INCIDENT_UPDATED" | "INCIDENT_ASSESSED" | "INCIDENT_CLOSED" | "INCIDENT_REOPENED" | "INCIDENT_REJUDGED" | "REPORT_RECORDED" | "REPORT_CORRECTED" | "REPORT_DRAFT_DOWNLOADED" | "REPORT_DUE_SOON" | "REPORT_OVERDUE" | "ATTACHMENT_ADDED" | "ATTACHMENT_DELETED" | "ATTACHMENT_DOWNLOADED" | "NOTE_ADDED" | "DEVICE_CREATED" | "DEVICE_UPDATED" | "DEVICE_DELETED" | "DEVICE_RESTORED" | "DEVICE_KEY_ROTATED" | "DEVICE_STATUS_CHANGED" | "LIST_DOWNLOADED" | "AUDIT_TRAIL_EXPORTED" | "AUDIT_ENTRIES_SET_ASIDE" | "AUDIT_TRAIL_PRUNED" | "ACCESS_REFUSED";
                /** @description Only those about objects of this type. */
                subject_type?: "ORGANIZATION" | "USER" | "MEMBER" | "SERVICE_ACCOUNT" | "ENGAGEMENT" | "INVITATION" | "TOKEN" | "IDENTITY_PROVIDER" | "SCIM_TOKEN" | "SCIM_GROUP" | "WEBHOOK_ENDPOINT" | "WORKFLOW" | "CONTROL" | "DOCUMENT_VERSION" | "INCIDENT" | "INCIDENT_ATTACHMENT" | "CLOUD_DEFENDER" | "THREAT_BLOCKER";
                /** @description Only those about the object with this `databaseId`; goes with `subjectType`. 200 characters at most. */
                subject_id?: string;
                /** @description Only what happened then or later. */
                from?: string;
                /** @description Only what happened before. */
                to?: string;
                /** @description Only entries after this place in the trail: in the order of places, a program that follows it misses none. 0 or more. */
                after_position?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createAuditCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which organization. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheckpointEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    verifyAuditTrail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditTrailVerificationEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exportAuditTrail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One JSON object on each line: what was removed after its retention, if anything was, entries in order, and a signed checkpoint as the last one. Without it the export is not complete. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exportAuditTrailTable: {
        parameters: {
            query?: {
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description Its id, as in REST paths. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A table (RFC 4180) with one row for each entry, in order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listIdentityProviders: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIdentityProviderInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Its id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which provider. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateIdentityProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which provider. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateIdentityProviderInput"];
                "application/merge-patch+json": components["schemas"]["UpdateIdentityProviderInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    verifyIdentityDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which provider. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyIdentityDomainInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityProviderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exchangeSignInCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExchangeSignInCodeInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getScimSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimSettingsEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateScimSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateScimSettingsInput"];
                "application/merge-patch+json": components["schemas"]["UpdateScimSettingsInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimSettingsEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listScimTokens: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimTokenListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createScimToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScimTokenInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewScimTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getScimToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimTokenEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    revokeScimToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateServiceAccountInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateServiceAccountInput"];
                "application/merge-patch+json": components["schemas"]["UpdateServiceAccountInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listServiceAccountTokens: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountTokenListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createServiceAccountToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateServiceAccountTokenInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceAccountTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getServiceAccountToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountTokenEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    revokeServiceAccountToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rotateServiceAccountToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The UUID of the service account. */
                serviceaccountid: string;
                /** @description Which token. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateServiceAccountTokenInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedServiceAccountTokenEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listOwnEngagements: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEngagements: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createEngagement: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEngagementInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEngagement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateEngagement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateEngagementInput"];
                "application/merge-patch+json": components["schemas"]["UpdateEngagementInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    inviteAuditor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteAuditorInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    removeAuditor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
                /** @description The UUID of the user. */
                userid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementAuditorEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEngagementControls: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementControlListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEngagementDocuments: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementDocumentListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEngagementIncidents: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementIncidentListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEngagementEntries: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngagementEntryListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEvidenceRequests: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceRequestListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    requestEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestEvidenceInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceRequestEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getEvidenceRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The engagement. */
                engagementid: number;
                /** @description Which request. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceRequestEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    answerEvidenceRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
                /** @description Which request. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AnswerEvidenceRequestInput"];
                "application/merge-patch+json": components["schemas"]["AnswerEvidenceRequestInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceRequestEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSignOffs: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOffListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    signOff: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which engagement. */
                engagementid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignOffInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOffEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listAvailableWorkflows: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    readAvailableWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id, such as `iso-27001-2022`. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailableWorkflowEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listAvailableControls: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Language of labels: de, en, it; English when absent, as is what has no translation. */
                language?: string;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description Its id, such as `iso-27001-2022`. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowControlListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listOrganizationWorkflows: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationWorkflowListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    associateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssociateWorkflowInput"];
            };
        };
        responses: {
            /** @description It existed already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationWorkflowEnvelope"];
                };
            };
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationWorkflowEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getOrganizationWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which workflow of the catalogue. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationWorkflowEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    dissociateWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which of its workflows. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationWorkflowEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getWorkflowProgress: {
        parameters: {
            query?: {
                /** @description First day; 90 days before the last when absent. */
                from?: string;
                /** @description Last day; today when absent. 366 days at most. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which workflow of the catalogue. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressDayListEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listControls: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Only those of this status. */
                status?: "TO_DO" | "IN_PROGRESS" | "DONE" | "NOT_APPLICABLE";
                /** @description Only those that this user answers for. */
                owner?: string;
                /** @description Only overdue ones, or only those that are not. */
                overdue?: boolean;
                /** @description Only those directly below this control. */
                parent?: string;
                /** @description Language of labels: de, en, it; English when absent, as is what has no translation. */
                language?: string;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which workflow of the catalogue. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationControlListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateControls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which of its workflows. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateControlsInput"];
                "application/merge-patch+json": components["schemas"]["UpdateControlsInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationControlListEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getControl: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which of its workflows. */
                workflowid: string;
                /** @description Which control, by its number in the source. */
                controlid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationControlEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateControl: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which of its workflows. */
                workflowid: string;
                /** @description Which control of the workflow. */
                controlid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateControlInput"];
                "application/merge-patch+json": components["schemas"]["UpdateControlInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationControlEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listWorkflowImports: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowImportListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    importWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportWorkflowInput"];
            };
        };
        responses: {
            /** @description It existed already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowImportEnvelope"];
                };
            };
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowImportEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["FILE_TOO_LARGE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    previewWorkflowImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewWorkflowImportInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowImportPreviewEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["FILE_TOO_LARGE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getWorkflowImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which id. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowImportEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteWorkflowImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Id of the imported workflow or mapping, or of the workflow that has the titles. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowImportEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listArtifactVersions: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description A workflow of the organization. */
                workflowid: string;
                /** @description A control of that workflow. */
                artifactid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    uploadDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description A workflow that is associated with the organization. */
                workflowid: string;
                /** @description A control of that workflow. */
                artifactid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadDocumentVersionInput"];
                "application/x-www-form-urlencoded": components["schemas"]["UploadDocumentVersionInput"];
                "multipart/form-data": components["schemas"]["UploadDocumentVersionForm"];
            };
        };
        responses: {
            /** @description It existed already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersionEnvelope"];
                };
            };
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentVersionEnvelope"];
                };
            };
            /** @description Something that was sent is wrong: one sentence for each error, at most 50, each naming its field. Or: There is no content, or it is empty. Or: The content is no base64. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["FILE_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_FILE_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "created_at" | "-created_at" | "effective_at" | "-effective_at" | "original_name" | "-original_name";
                /** @description Only those of this workflow. */
                workflow_id?: string;
                /** @description Only those of this control. */
                artifact_id?: string;
                /** @description Only those of the uploader of this user name, as it was then. 200 characters at most. */
                created_by?: string;
                /** @description Only those uploaded at this instant or later. */
                created_from?: string;
                /** @description Only those uploaded before this instant. */
                created_before?: string;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Its id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which version. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateDocumentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which version. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentVersionInput"];
                "application/merge-patch+json": components["schemas"]["UpdateDocumentVersionInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listReuseSuggestions: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which workflow, of those that it has or may associate. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReuseSuggestionListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    downloadEvidencePack: {
        parameters: {
            query?: {
                /** @description Only what happened then or later. */
                from?: string;
                /** @description Only what happened before. */
                to?: string;
                /** @description In a signed address: whether persons of the audit trail are named. */
                names?: boolean;
                /** @description In a signed address: the user name that it was made for. */
                for?: string;
                /** @description When the signed address expires, in Unix seconds. */
                expires?: number;
                /** @description The signature of the address. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which workflow of the catalogue. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive. It is made while it is sent: one that ends before its end is no archive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exportAssessmentResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which workflow of the catalogue. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results, valid by the JSON Schema of OSCAL 1.1.2. They are as they are at this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        "assessment-results": Record<string, never>;
                    };
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    exportComponentDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which workflow of the catalogue. */
                workflowid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The definition, valid by the JSON Schema of OSCAL 1.1.2. It is as it is at this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        "component-definition": Record<string, never>;
                    };
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "aware_at" | "-aware_at" | "created_at" | "-created_at" | "severity" | "-severity" | "updated_at" | "-updated_at";
                /** @description Only those of this status. */
                status?: "OPEN" | "CONTAINED" | "RESOLVED" | "CLOSED";
                /** @description Only those exactly this bad. */
                severity?: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
                /** @description Only significant ones, or only those that are not. */
                significant?: boolean;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    openIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenIncidentInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateIncidentInput"];
                "application/merge-patch+json": components["schemas"]["UpdateIncidentInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getIncidentClock: {
        parameters: {
            query?: {
                /** @description Language of the texts of laws: de, en, it; English when absent, as is what has no translation. */
                language?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentClockEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listSignificanceQuestions: {
        parameters: {
            query?: {
                /** @description Language of the texts of laws: de, en, it; English when absent, as is what has no translation. */
                language?: string;
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignificanceQuestionsEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    assessIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssessIncidentInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    closeIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CloseIncidentInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rejudgeIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejudgeIncidentInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    reopenIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listIncidentReports: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReportListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    recordIncidentReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordIncidentReportInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    correctIncidentReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
                /** @description The regime that asks for it, such as `nis2`. 1 to 200 characters after trimming. */
                regime_id: string;
                /** @description Which report; it was recorded before. */
                stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectIncidentReportInput"];
                "application/merge-patch+json": components["schemas"]["CorrectIncidentReportInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listReportingRegimes: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Only what is in force on this day; every version when absent. */
                as_of?: string;
                /** @description Language of the texts of laws: de, en, it; English when absent, as is what has no translation. */
                language?: string;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportingRegimeListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    draftIncidentReport: {
        parameters: {
            query?: {
                /** @description Which of the reports of the stage; the last one when absent. */
                number?: number;
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
                /** @description The regime that asks for it, such as `nis2`. */
                regime_id: string;
                /** @description Which report. */
                stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentReportDraftEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    printIncidentReportDraft: {
        parameters: {
            query?: {
                /** @description Which of the reports of the stage; the last one when absent. */
                number?: number;
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
                /** @description The regime that asks for it, such as `nis2`. */
                regime_id: string;
                /** @description Which report. */
                stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that loads nothing and runs nothing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    downloadIncidentReportDraft: {
        parameters: {
            query?: {
                /** @description Which of the reports of the stage; the last one when absent. */
                number?: number;
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
                /** @description The regime that asks for it, such as `nis2`. */
                regime_id: string;
                /** @description Which report. */
                stage: "EARLY_WARNING" | "NOTIFICATION" | "INTERMEDIATE_REPORT" | "PROGRESS_REPORT" | "FINAL_REPORT" | "COMMUNICATION" | "THREAT_COMMUNICATION";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, with numbered pages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listIncidentNotes: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentNoteListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    addIncidentNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddIncidentNoteInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentNoteEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listIncidentTimeline: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "at" | "-at";
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentTimelineItemListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listIncidentAttachments: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentAttachmentListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            /** @description Something that was sent is wrong: one sentence for each error, at most 50, each naming its field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, malformed, unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller's role or the token's scopes do not allow it. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or the caller is no member of its organization. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path exists, and the method that was used does not. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers or the body arrived too slowly; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many of a costly kind at the same time, or too many mails. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers, the address among them, are larger than 16 KB; the connection is closed. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something unexpected went wrong; the request id finds it in the logs. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database or the storage is away. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadIncidentAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadIncidentAttachmentForm"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentAttachmentEnvelope"];
                };
            };
            /** @description There is no part `file`, or more than one; or the file is empty or of a type that is not allowed. Or: Something that was sent is wrong: one sentence for each error, at most 50, each naming its field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, malformed, unknown, expired or revoked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The caller's role or the token's scopes do not allow it. Or: With `Idempotency-Replayed`, the request was executed before, and the caller may not see its answer any more. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or the caller is no member of its organization. Or: With `Idempotency-Replayed`, the request was executed before, and the caller may not see its answer any more. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path exists, and the method that was used does not. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers or the body arrived too slowly; the connection is closed. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The state it is in does not allow it, or it was changed in the meantime: the reason says which. Or: The `Idempotency-Key` was used for another request; or, with `Retry-After`, the request that uses it is under way; or, with `Idempotency-Replayed`, the request was executed, and its answer was too long to be kept: `Location` leads to what it made. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record is in another state than `If-Match` names. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file is too large: 10 MB for a document, 25 MB for an attachment, 1 MB for a logo. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many of a costly kind at the same time, or too many mails. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The headers, the address among them, are larger than 16 KB; the connection is closed. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something unexpected went wrong; the request id finds it in the logs. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database or the storage is away. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readIncidentAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Only when it is of this incident. */
                incidentid: number;
                /** @description Which attachment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentAttachmentEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteIncidentAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which incident. */
                incidentid: number;
                /** @description Which of its files. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentAttachmentEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listCloudDefenders: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "id" | "-id" | "fqdn" | "-fqdn" | "status" | "-status" | "last_seen" | "-last_seen";
                /** @description The organization that has them; all that the caller manages when absent. */
                organization_id?: number;
                /** @description Only those whose names or addresses contain this text; case and accents make no difference. 200 characters at most. */
                search?: string;
                /** @description Only those of this `check.status`. */
                status?: 0 | 1 | 2 | 3;
                /** @description Only deleted ones that may still be restored; only those that are not deleted when false or absent. */
                deleted?: boolean;
                /** @description What is answered of each item besides: `series` are `web_stat` and `chart_stat`. */
                include?: "series";
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudDefenderItemListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createCloudDefender: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCloudDefenderInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudDefenderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getCloudDefender: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudDefenderEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteCloudDefender: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudDefenderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateCloudDefender: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCloudDefenderInput"];
                "application/merge-patch+json": components["schemas"]["UpdateCloudDefenderInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudDefenderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    restoreCloudDefender: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudDefenderEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getCloudDefenderSeries: {
        parameters: {
            query?: {
                /** @description The series begins with the bucket of this moment; seven days before its end when absent. */
                from?: string;
                /** @description The series ends with the bucket before this moment, or with the one that it lies in; now when absent. */
                to?: string;
                /** @description How long the buckets are; an hour when absent. */
                bucket?: "HOUR" | "DAY";
            };
            header?: never;
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSeriesEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    reportCloudDefenderCheck: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportCloudDefenderCheckInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceReceiptEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listThreatBlockers: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "id" | "-id" | "device_id" | "-device_id" | "status" | "-status" | "last_seen" | "-last_seen";
                /** @description The organization that has them; all that the caller manages when absent. */
                organization_id?: number;
                /** @description Only those whose names or addresses contain this text; case and accents make no difference. 200 characters at most. */
                search?: string;
                /** @description Only those of this `check.status`. */
                status?: 0 | 1 | 2 | 3;
                /** @description Only deleted ones that may still be restored; only those that are not deleted when false or absent. */
                deleted?: boolean;
                /** @description What is answered of each item besides: `series` are `web_stat` and `chart_stat`. */
                include?: "series";
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerItemListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createThreatBlocker: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateThreatBlockerInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getThreatBlocker: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteThreatBlocker: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateThreatBlocker: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateThreatBlockerInput"];
                "application/merge-patch+json": components["schemas"]["UpdateThreatBlockerInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    restoreThreatBlocker: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getThreatBlockerSeries: {
        parameters: {
            query?: {
                /** @description The series begins with the bucket of this moment; seven days before its end when absent. */
                from?: string;
                /** @description The series ends with the bucket before this moment, or with the one that it lies in; now when absent. */
                to?: string;
                /** @description How long the buckets are; an hour when absent. */
                bucket?: "HOUR" | "DAY";
            };
            header?: never;
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerSeriesEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    reportThreatBlockerCheck: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportThreatBlockerCheckInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceReceiptEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rotateAtbKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Which configuration. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThreatBlockerEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    reportThreatBlockerCheckByKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportThreatBlockerCheckByKeyInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceReceiptEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this cursor. Those of the last 90 days when absent; `latest` for those from now on. */
                after?: string;
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description Only of these types; of all when absent. */
                types?: ("organization.created" | "organization.updated" | "organization.deleted" | "organization.restored" | "organization.purged" | "organization.ownership_transferred" | "invitation.created" | "invitation.resent" | "invitation.cancelled" | "member.joined" | "member.updated" | "member.removed" | "member.left" | "service_account.created" | "service_account.updated" | "service_account.deleted" | "token.created" | "token.rotated" | "token.revoked" | "token.blocked" | "token.expiring" | "token.used_from_new_address" | "identity_provider.created" | "identity_provider.updated" | "identity_provider.deleted" | "identity_provider.domain_verified" | "member.identity_linked" | "member.signed_in" | "member.signed_out" | "engagement.created" | "engagement.updated" | "engagement.read" | "engagement.auditor_joined" | "engagement.auditor_removed" | "engagement.evidence_requested" | "engagement.request_answered" | "engagement.signed_off" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "scim.updated" | "scim_token.created" | "scim_token.revoked" | "scim_group.created" | "scim_group.updated" | "scim_group.deleted" | "workflow.associated" | "workflow.dissociated" | "workflow.exported" | "workflow.imported" | "workflow.import_deleted" | "control.updated" | "control.assigned" | "control.overdue" | "control.evidence_expiring" | "document.uploaded" | "document.updated" | "document.deleted" | "document.trimmed" | "document.downloaded" | "workflow.evidence_pack_downloaded" | "incident.opened" | "incident.updated" | "incident.assessed" | "incident.closed" | "incident.reopened" | "incident.rejudged" | "incident.report_recorded" | "incident.report_corrected" | "incident.report_draft_downloaded" | "incident.report_due_soon" | "incident.report_overdue" | "incident.attachment_added" | "incident.attachment_deleted" | "incident.attachment_downloaded" | "incident.note_added" | "device.created" | "device.updated" | "device.deleted" | "device.restored" | "device.key_rotated" | "device.status_changed" | "organization.list_downloaded" | "audit_trail.exported" | "audit_trail.entries_set_aside" | "audit_trail.pruned" | "access.refused")[];
                /** @description Only of this organization; of all of the caller when absent. */
                organization_id?: number;
                /** @description Seconds that the answer may take while there is nothing on the page: it comes with the first that meets the filter, or empty at the end of the time. */
                wait?: number;
            };
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            410: components["responses"]["GONE"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointInput"];
            };
        };
        responses: {
            /** @description The new record. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Its id. */
                webhookendpointid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which endpoint. */
                webhookendpointid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which endpoint. */
                webhookendpointid: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointInput"];
                "application/merge-patch+json": components["schemas"]["UpdateWebhookEndpointInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the record that the change is made to, or a list of them: when it has been changed since, nothing is done and the answer is 412. Without it, or with `*`, the change is made whatever came in between. */
                "If-Match"?: string;
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which endpoint. */
                webhookendpointid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookEndpointEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    sendTestWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which endpoint. */
                webhookendpointid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    recoverWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which endpoint. */
                webhookendpointid: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhooksInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecoveryEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Only those that have become of so. */
                status?: "PENDING" | "DELIVERED" | "FAILED";
                /** @description Only that of this event. */
                event_id?: string;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Its id. */
                webhookendpointid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The endpoint. */
                webhookendpointid: number;
                /** @description The id of the delivery. */
                webhookdeliveryid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description The endpoint. */
                webhookendpointid: number;
                /** @description The id of the delivery. */
                webhookdeliveryid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAttemptListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The organization. */
                organizationid: number;
                /** @description Which endpoint. */
                webhookendpointid: number;
                /** @description Which delivery. */
                webhookdeliveryid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "datetime" | "-datetime";
                /** @description Only read ones, or only unread ones. */
                read?: boolean;
                /** @description Only those of this category. */
                type?: "INCIDENT" | "DOCUMENT" | "DEVICE" | "WORKFLOW" | "MEMBER" | "TOKEN" | "SYSTEM";
                /** @description Only those about this organization. */
                organization_id?: number;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    countUnreadNotifications: {
        parameters: {
            query?: {
                /** @description Only those about this organization. */
                organization_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadNotificationCountEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    markNotificationsRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new random key for each change, such as a UUID, at most 255 characters in quotes or bare. A retry with the same key, body and token within 24 hours does nothing and gets the same answer, with `Idempotency-Replayed: true`, or, where it was longer than 64 KB, 409 with the `Location` of what was made. Without a token it is ignored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MarkNotificationsReadInput"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationMarksEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["POST_FORBIDDEN"];
            404: components["responses"]["POST_NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["POST_CONFLICT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its id. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    updateNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which notification. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNotificationInput"];
                "application/merge-patch+json": components["schemas"]["UpdateNotificationInput"];
            };
        };
        responses: {
            /** @description The record as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    previewWeeklyReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WeeklyReportPreviewEnvelope"];
                };
            };
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listWeeklyReportDeliveries: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Only those of this ISO 8601 week, such as `2026-W47`. 200 characters at most. */
                week?: string;
                /** @description Only those in this state. */
                state?: "QUEUED" | "SENT" | "FAILED";
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description The organization. */
                organizationid: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WeeklyReportDeliveryListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description What the list is ordered by; a minus sign before the field turns the order round. The id breaks ties. */
                sort?: "name" | "-name" | "created_at" | "-created_at" | "next_deadline" | "-next_deadline" | "overdue_controls" | "-overdue_controls";
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationOverviewListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    listWork: {
        parameters: {
            query?: {
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Whose work. */
                assignee?: "ME" | "ANYONE";
                /** @description User id of a member whose work is listed instead: its controls and reviews, and, where the caller may list members (SECURITY_OFFICER), reports that its role may record. */
                assignee_id?: string;
                /** @description Only what is due before this instant. */
                due_before?: string;
                /** @description The list as a file instead of JSON, whatever the header `Accept` says. */
                format?: "csv" | "xlsx";
                /** @description Whether a file of CSV begins with a byte order mark, without which spreadsheets misread UTF-8: `0` for programs. */
                bom?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkItemListEnvelope"];
                    "text/csv": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @description What to look for, in whatever case and with or without accents: 2 to 100 characters, taken literally. Two characters are looked for in the newest 1,000 incidents and document versions of each organization. */
                q: string;
                /** @description Only in this organization; in all of the caller when absent. */
                organization_id?: number;
                /** @description Only these kinds; all when absent. */
                type?: "ORGANIZATION" | "MEMBER" | "CONTROL" | "DOCUMENT" | "INCIDENT" | "NOTIFICATION";
                /** @description How many items the page holds at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResultListEnvelope"];
                };
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    downloadFile: {
        parameters: {
            query: {
                /** @description In an address that was made for an auditor: the engagement, with which it ends. */
                engagement?: number;
                /** @description In an address that was made for an auditor: the user, who is recorded as the one who downloads. */
                for?: string;
                /** @description When the signed address expires, in Unix seconds. */
                expires: number;
                /** @description The signature of the address. */
                signature: string;
            };
            header?: {
                /** @description The `ETag` of a file that the client has: 304 means that it is the same. */
                "If-None-Match"?: string;
                /** @description The one range of bytes that is wanted; several, or none that is whole, are the file. */
                Range?: string;
                /** @description The `ETag` of the file that the range is of: of any other the whole is sent. */
                "If-Range"?: string;
            };
            path: {
                /** @description The kind of the file. */
                kind: "documents" | "attachments";
                /** @description The file. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, under the media type that was found for it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": unknown;
                    "application/vnd.oasis.opendocument.text": unknown;
                    "application/vnd.oasis.opendocument.spreadsheet": unknown;
                    "application/vnd.oasis.opendocument.presentation": unknown;
                    "application/rtf": unknown;
                    "text/plain": unknown;
                    "text/csv": unknown;
                    "text/markdown": unknown;
                    "application/json": unknown;
                    "application/xml": unknown;
                    "image/png": unknown;
                    "image/jpeg": unknown;
                    "image/webp": unknown;
                    "image/gif": unknown;
                    "image/tiff": unknown;
                    "image/heic": unknown;
                    "message/rfc822": unknown;
                    "application/vnd.ms-outlook": unknown;
                    "application/zip": unknown;
                    "application/msword": unknown;
                    "application/vnd.ms-excel": unknown;
                    "application/vnd.ms-powerpoint": unknown;
                    "application/pkcs7-mime": unknown;
                    "application/vnd.etsi.asic-e+zip": unknown;
                };
            };
            /** @description The range that the header `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": unknown;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": unknown;
                    "application/vnd.oasis.opendocument.text": unknown;
                    "application/vnd.oasis.opendocument.spreadsheet": unknown;
                    "application/vnd.oasis.opendocument.presentation": unknown;
                    "application/rtf": unknown;
                    "text/plain": unknown;
                    "text/csv": unknown;
                    "text/markdown": unknown;
                    "application/json": unknown;
                    "application/xml": unknown;
                    "image/png": unknown;
                    "image/jpeg": unknown;
                    "image/webp": unknown;
                    "image/gif": unknown;
                    "image/tiff": unknown;
                    "image/heic": unknown;
                    "message/rfc822": unknown;
                    "application/vnd.ms-outlook": unknown;
                    "application/zip": unknown;
                    "application/msword": unknown;
                    "application/vnd.ms-excel": unknown;
                    "application/vnd.ms-powerpoint": unknown;
                    "application/pkcs7-mime": unknown;
                    "application/vnd.etsi.asic-e+zip": unknown;
                };
            };
            /** @description The client has it already: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NOT_FOUND"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            /** @description The range lies outside of the file. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getFormOptions: {
        parameters: {
            query?: {
                /** @description Language of labels: de, en, it; English when absent, as is what has no translation. */
                language?: string;
            };
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormOptionsEnvelope"];
                };
            };
            /** @description Nothing has changed since the answer with this `ETag`: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BAD_USER_INPUT"];
            401: components["responses"]["UNAUTHENTICATED"];
            403: components["responses"]["FORBIDDEN"];
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    getInterfaceDescription: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of an answer that the client has: 304 means that it is still right, and costs little. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The description, compressed with Brotli or gzip where `Accept-Encoding` takes that. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The client has it already: the header `If-None-Match` names it. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["METHOD_NOT_ALLOWED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            429: components["responses"]["RATE_LIMITED"];
            431: components["responses"]["HEADERS_TOO_LARGE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
        };
    };
    receive_organization_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "organization.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_organization_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "organization.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_organization_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "organization.deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_organization_restored: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "organization.restored";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_organization_purged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "organization.purged";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_organization_ownership_transferred: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "organization.ownership_transferred";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_invitation_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invitation.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_invitation_resent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invitation.resent";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_invitation_cancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "invitation.cancelled";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_member_joined: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "member.joined";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_member_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "member.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_member_removed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "member.removed";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_member_left: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "member.left";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_service_account_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "service_account.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_service_account_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "service_account.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_service_account_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "service_account.deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_token_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "token.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_token_rotated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "token.rotated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_token_revoked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "token.revoked";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_token_blocked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "token.blocked";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_token_expiring: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "token.expiring";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_token_used_from_new_address: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "token.used_from_new_address";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_identity_provider_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "identity_provider.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_identity_provider_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "identity_provider.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_identity_provider_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "identity_provider.deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_identity_provider_domain_verified: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "identity_provider.domain_verified";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_member_identity_linked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "member.identity_linked";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_member_signed_in: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "member.signed_in";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_member_signed_out: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "member.signed_out";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_read: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.read";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_auditor_joined: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.auditor_joined";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_auditor_removed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.auditor_removed";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_evidence_requested: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.evidence_requested";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_request_answered: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.request_answered";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_engagement_signed_off: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "engagement.signed_off";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_disabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.disabled";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_secret_rotated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.secret_rotated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_tested: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.tested";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_redelivered: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "webhook_endpoint.redelivered";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_scim_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "scim.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_scim_token_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "scim_token.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_scim_token_revoked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "scim_token.revoked";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_scim_group_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "scim_group.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_scim_group_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "scim_group.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_scim_group_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "scim_group.deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_workflow_associated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "workflow.associated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_workflow_dissociated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "workflow.dissociated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_workflow_exported: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "workflow.exported";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_workflow_imported: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "workflow.imported";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_workflow_import_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "workflow.import_deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_control_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "control.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_control_assigned: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "control.assigned";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_control_overdue: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "control.overdue";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_control_evidence_expiring: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "control.evidence_expiring";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_document_uploaded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "document.uploaded";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_document_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "document.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_document_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "document.deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_document_trimmed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "document.trimmed";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_document_downloaded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "document.downloaded";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_workflow_evidence_pack_downloaded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "workflow.evidence_pack_downloaded";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_opened: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.opened";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_assessed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.assessed";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_closed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.closed";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_reopened: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.reopened";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_rejudged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.rejudged";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_report_recorded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.report_recorded";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_report_corrected: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.report_corrected";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_report_draft_downloaded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.report_draft_downloaded";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_report_due_soon: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.report_due_soon";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_report_overdue: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.report_overdue";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_attachment_added: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.attachment_added";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_attachment_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.attachment_deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_attachment_downloaded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.attachment_downloaded";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_incident_note_added: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "incident.note_added";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_device_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "device.created";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_device_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "device.updated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_device_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "device.deleted";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_device_restored: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "device.restored";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_device_key_rotated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "device.key_rotated";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_device_status_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "device.status_changed";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_organization_list_downloaded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "organization.list_downloaded";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_audit_trail_exported: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "audit_trail.exported";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_audit_trail_entries_set_aside: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "audit_trail.entries_set_aside";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_audit_trail_pruned: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "audit_trail.pruned";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_access_refused: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event: the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When it is sent: seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /** @constant */
                    type?: "access.refused";
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later, as after every other answer and after none. `Retry-After` is obeyed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
