import type { Visit } from '../visit.ts'

/** Has the page take the person for a viewer while something is looked at. */
export const asViewer = async ({ page }: Visit, look: () => Promise<void>): Promise<void> => {
  const address = '**/api/app/list_workspaces'
  await page.route(address, async route => {
    const answer = await (await route.fetch()).json()
    for (const item of answer.data.items) item.role = 'viewer'
    await route.fulfill({ json: answer })
  })
  try {
    await look()
  } finally {
    await page.unroute(address)
  }
}
