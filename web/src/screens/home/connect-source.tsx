import { Button } from '@mantine/core'
import { ErrorState } from '../../parts/error-state.tsx'
import { Step } from './step.tsx'

interface Props {
  readonly done: boolean
  readonly pending: boolean
  readonly error: Error | null
  readonly create: () => void
}

export const ConnectSource = ({ done, pending, error, create }: Props) => (
  <Step number={1} title="Create a signal source" done={done} current={!done}>
    {done ? (
      'This workspace has an address that signals are sent to.'
    ) : (
      <>
        An address to post signals to, and a secret that proves who sends them.
        <div>
          <Button mt="sm" onClick={create} loading={pending}>
            Create a signal source
          </Button>
        </div>
        {error !== null && <ErrorState error={error} title="The source was not created" />}
      </>
    )}
  </Step>
)
