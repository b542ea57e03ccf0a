import { Tabs } from '@mantine/core'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { WhoMerges } from '../../parts/who-merges.tsx'
import { MergeLog } from './merge-log.tsx'
import { WaitingMerges } from './waiting-merges.tsx'

const DEFAULTS = { show: 'waiting' }
const TABS = { waiting: 'Waiting', merged: 'Merged', refused: 'Kept apart' } as const

/** Claims that may be the same, to be decided on, and the log of what people and the judge decided. */
const Proposals = () => {
  const [{ show }, change] = useUrlState(DEFAULTS)
  return (
    <Page>
      <PageHeader
        title="Proposed merges"
        about="Claims that look alike. Nothing merges on similarity: a person or the judge says that two are the same, and each merge can be taken back."
      >
        <WhoMerges />
      </PageHeader>
      <Tabs value={show} onChange={value => change({ show: value ?? 'waiting' })} keepMounted={false}>
        <Tabs.List mb="md">
          {Object.entries(TABS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="waiting">
          <WaitingMerges />
        </Tabs.Panel>
        <Tabs.Panel value="merged">
          <MergeLog what="merged" />
        </Tabs.Panel>
        <Tabs.Panel value="refused">
          <MergeLog what="refused" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

export default Proposals
