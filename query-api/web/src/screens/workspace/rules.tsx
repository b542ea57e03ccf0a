import { Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { operationKey, useChange, useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { notifyFailed } from '../../shell/notify.tsx'
import { Section } from './section.tsx'

interface Props {
  readonly isOwner: boolean
}

/** What agents may settle by themselves here, and what a person does. */
export const Rules = ({ isOwner }: Props) => (
  <Section title="Rules" about="What agents may settle by themselves, and what takes a person in this app.">
    {isOwner ? (
      <OwnersRules />
    ) : (
      <Text size="sm" c="dimmed">
        Only owners see and set the rules.
      </Text>
    )}
  </Section>
)

const OwnersRules = () => {
  const queries = useQueryClient()
  // Without a field it changes nothing and answers the rules.
  const { data, error, refetch } = useOperation('set_workspace_rules', {})
  const changing = useChange('set_workspace_rules', {
    onSuccess: rules => queries.setQueryData(operationKey('set_workspace_rules', {}), rules),
  })
  if (data === undefined) {
    return error === null ? <LoadingState rows={1} /> : <ErrorState error={error} retry={refetch} />
  }
  return (
    <Switch
      label="Done, Dropped and Outcomes need a Decision that a person made here"
      description="Off: an agent may also bring the Decision in its own call, under its key’s name."
      checked={changing.isPending ? changing.variables.requires_app_decisions === true : data.requires_app_decisions}
      disabled={changing.isPending}
      onChange={event =>
        changing.mutate({ requires_app_decisions: event.currentTarget.checked }, { onError: notifyFailed })
      }
    />
  )
}
