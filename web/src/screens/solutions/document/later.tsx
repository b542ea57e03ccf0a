// Loaded when a document is written or its versions are looked at: in one file, since both show differences.
export { Differences } from './differences.tsx'
export { Editor } from './editor.tsx'
export { Versions } from './versions.tsx'
