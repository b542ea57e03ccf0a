// Loaded when a document is written or two versions are compared: in one file, since both show differences.
export { Differences } from './differences.tsx'
export { Editor } from './editor.tsx'
