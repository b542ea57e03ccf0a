/** In place of a slug or id: the workspace that the person worked in last, else their first. */
export const LAST_WORKSPACE = 'last'

/** An address of the app has its workspace's slug before `/app`: `/shop-018f3a2b/app/claims/CLM-2`. */
const NAMED = /^\/([a-z0-9][a-z0-9-]{0,47})(?=\/app(?:[/?#]|$))/

/** The slug in an address; null without one. */
export const slugOfAddress = (address: string): string | null => NAMED.exec(address)?.[1] ?? null

/** The address without its workspace: `/app/claims/CLM-2`. */
export const withoutWorkspace = (address: string): string => address.replace(NAMED, '')

/** True for an address of the app, and false for anything that leads elsewhere. */
export const isInApp = (text: string): boolean => /^\/app(?:[/?]|$)/.test(withoutWorkspace(text))

/** This page is outside of a workspace: the reader is not yet a member. */
export const INVITATION_PATH = '/app/invitation'

/** The address in a workspace. An address with a slug, or outside of a workspace, is unchanged. */
export const addressIn = (slug: string | null | undefined, address: string): string =>
  slug == null || !/^\/app(?:[/?#]|$)/.test(address) || address.startsWith(INVITATION_PATH)
    ? address
    : `/${slug}${address}`
