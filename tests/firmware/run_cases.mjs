// Runs one Python script in MicroPython's WebAssembly port, with the firmware and its cases in the port's file system.
import fs from 'fs';
import path from 'path';
const [, , modulePath, script] = process.argv;
const { loadMicroPython } = await import(path.resolve(modulePath));
const mp = await loadMicroPython({ heapsize: 2 * 1024 * 1024, linebuffer: true });
for (const folder of ['/firmware', '/tests', '/tests/firmware']) mp.FS.mkdir(folder);
const copy = (name) => mp.FS.writeFile('/' + name, fs.readFileSync(name));
for (const file of fs.readdirSync('firmware')) if (/\.(py|json)$/.test(file)) copy('firmware/' + file);
copy('tests/__init__.py');
copy('tests/firmware/__init__.py');
copy('tests/firmware/cases.py');
mp.FS.chdir('/');
mp.runPython(script);
