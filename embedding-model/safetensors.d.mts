export function readSafetensors(file: string): (name: string) => Float32Array
