import { Stack } from '@mantine/core'
import { useOperation } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Section } from '../workspace/section.tsx'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { EraseSignal } from './erase-signal.tsx'
import { EraseSource } from './erase-source.tsx'
import { ErasureList } from './erasure-list.tsx'
import { FindPerson } from './find-person.tsx'
import { Retention } from './retention.tsx'

/** Settings → Erase: what goes for good, each after a look at what that is. */
const Erase = () => {
  const { data, error, refetch } = useOperation('list_workspaces', {})
  const current = data?.items.find(workspace => workspace.current)
  const isOwner = current?.role === 'owner'
  return (
    <Page width="reading">
      <PageHeader
        title={t('Erase')}
        about={t('Take a person, a Signal, a source or the workspace out for good. Nothing of it can be brought back.')}
      />
      {current === undefined &&
        (error === null ? <LoadingState rows={4} height={48} /> : <ErrorState error={error} retry={refetch} />)}
      {current !== undefined && !isOwner && (
        <Section title={t('For owners')} about={t('Only an owner of the workspace can erase something here.')}>
          {null}
        </Section>
      )}
      {current !== undefined && isOwner && (
        <Stack gap="xl">
          <FindPerson workspace={current.name} />
          <EraseSignal workspace={current.name} />
          <EraseSource workspace={current.name} />
          <Retention workspace={current.name} />
          <ErasureList />
          <DeleteWorkspace workspace={current.name} />
        </Stack>
      )}
    </Page>
  )
}

export default Erase
