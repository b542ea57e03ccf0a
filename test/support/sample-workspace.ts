import { eventually } from '../../infra/runtime/testing.ts'
import type { Person } from './person.ts'

/** Fills the workspace of these calls with the sample data, and waits until nothing of them is under way. */
export const fillWithSample = async (call: Person['call']): Promise<void> => {
  await eventually('the sample data are there', () => call('reset_sandbox').then(() => true))
  await eventually('the activity of the sample data is stored', async () => {
    const { received, in_progress } = await call<{ received: number; in_progress: number }>('read_ledger')
    return received > 0 && in_progress === 0
  })
}
