import sys, torch
def lie():
    service = sys.modules['worker.answering'].Service
    row = {'name': 'w' * 100_000, 'shape': [2**62, -1, 0], 'requires_grad': True, 'alias_of': None}
    def handle(self, op, payload):
        if op == 'load': return {'ok': {'left_out': []}}
        if op == 'write': return {'ok': {}}
        if op == 'construct': return {'ok': {'handle': -5, 'parameters': [row, {**row, 'alias_of': 'nothing'}, {**row, 'name': ''}], 'kinds': [], 'loose': [{'path': 'q', 'shape': [7], 'kind': 'tensor'}], 'is_module': True}}
        if op == 'read': return {'ok': {'values': {'w' * 100_000: torch.zeros(0), 'q': torch.ones(3, dtype=torch.complex64), '': torch.zeros((), dtype=torch.float8_e5m2)}}}
        return {'ok': {'value': torch.full((2, 3), float('nan')), 'grads': [None, torch.zeros(0)], 'parameter_grads': {'z': torch.zeros(2, dtype=torch.bool)}, 'mutated': [5], 'operators': []}}
    service.handle = handle
K = lie()
class LayerNorm:
    k = K
    def forward(self, x): return x
