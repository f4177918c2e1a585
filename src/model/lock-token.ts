/** The part of a lock token that all tokens of one worker instance share: `<uuid>:<n>` since BullMQ 3.3.5, before that all of it. */
export const prefixOfToken = (token: string): string => token.replace(/:\d+$/, '');
