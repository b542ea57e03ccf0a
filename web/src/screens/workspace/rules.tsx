import { Stack, Switch } from '@mantine/core'
import { useChange, useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { WhoMerges } from '../../parts/who-merges.tsx'
import { notifyFailed } from '../../shell/notify.tsx'
import { Section } from './section.tsx'

interface Props {
  readonly isOwner: boolean
}

/** What judges and agents may settle by themselves here, and what a person does. Everybody sees it; owners set it. */
export const Rules = ({ isOwner }: Props) => {
  const { data, error, refetch } = useOperation('read_workspace_rules', {})
  const changing = useChange('set_workspace_rules', { invalidates: ['read_workspace_rules'] })
  return (
    <Section
      title="Rules"
      about={`What agents and judges may settle by themselves, and what takes a person.${isOwner ? '' : ' Owners set them.'}`}
    >
      {data === undefined ? (
        error === null ? (
          <LoadingState rows={2} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <Stack gap="md">
          <Switch
            label="Done, Dropped and Outcomes need a Decision that a person made here"
            description="Off: an agent may also bring the Decision in its own call, under its key’s name."
            checked={
              changing.isPending ? changing.variables.requires_app_decisions === true : data.requires_app_decisions
            }
            disabled={changing.isPending || !isOwner}
            onChange={event =>
              changing.mutate({ requires_app_decisions: event.currentTarget.checked }, { onError: notifyFailed })
            }
          />
          <WhoMerges label="When a judge finds that two claims are the same" />
        </Stack>
      )}
    </Section>
  )
}
