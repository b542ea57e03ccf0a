import { List, Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { When } from '../../parts/when.tsx'
import { Section } from '../workspace/section.tsx'

type Change = Output<'list_administration_changes'>['items'][number]['change']

const WHAT: Readonly<Record<Change, string>> = {
  made_administrator: 'became an administrator',
  administrator_no_more: 'is an administrator no more',
  disabled: 'was disabled',
  enabled: 'was enabled again',
  password_reset: 'was given a new password',
  account_deleted: 'was deleted',
}

/** Who did what to whose account. */
export const Changes = () => {
  const { data, error, refetch } = useOperation('list_administration_changes', {})
  return (
    <Section title="What changed" about="Administrators and accounts, the latest first.">
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      <List size="sm" listStyleType="none">
        {data?.items.map(({ change, account_name, by_name, at }) => (
          <List.Item key={`${at} ${change} ${account_name}`}>
            <bdi>{account_name}</bdi> {WHAT[change]}{' '}
            <Text span size="sm" c="dimmed">
              by <bdi>{by_name}</bdi>, <When at={at} />
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}
