import { Route, Routes } from 'react-router'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { DeadLetters } from './dead-letters/dead-letters.tsx'
import { Jobs } from './jobs/jobs.tsx'
import { Ledger } from './ledger/ledger.tsx'
import { Sections } from './sections.tsx'
import { TraceSignal } from './signal/trace-signal.tsx'
import { Steps } from './steps/steps.tsx'

/** `/app/pipeline`: the machine at work, what it could not work on, and what somebody has it do. */
const Pipeline = () => (
  <Page>
    <PageHeader
      title="Pipeline"
      about="Nine steps take what comes in to a signal that can be judged. Nothing that was accepted is lost: it waits, it is tried again, or it lies with the dead letters."
    />
    <Sections />
    <Routes>
      <Route index element={<Steps />} />
      <Route path="dead-letters" element={<DeadLetters />} />
      <Route path="jobs" element={<Jobs />} />
      <Route path="signal" element={<TraceSignal />} />
      <Route path="ledger" element={<Ledger />} />
    </Routes>
  </Page>
)

export default Pipeline
